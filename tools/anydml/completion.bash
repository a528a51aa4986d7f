# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Completion of `anydml` for bash. Source this file, or put it under the name
# `anydml` into ~/.local/share/bash-completion/completions/. Commands, options,
# operators and devices are asked of the command itself, so they cannot be stale.

_anydml_commands() {
  "$1" --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/ s/^  \([a-z][a-z]*\) .*/\1/p'
}

# Of a command, or of anydml itself when that is empty.
_anydml_options() {
  "$1" ${2:+"$2"} --help 2>/dev/null | sed -n 's/^  \(-[a-z],\)\{0,1\}\(--[a-z-]*\).*/\2/p'
}

# The first column of a listing, without its heading and what stands below it.
_anydml_names() {
  "$1" "$2" 2>/dev/null | sed '1d; /^$/,$d; s/ .*//'
}

_anydml_feature_levels() {
  echo 1.0 2.0 2.1 3.0 3.1 4.0 4.1 5.0 5.1 5.2 6.0 6.1 6.2 6.3 6.4
}

_anydml_types() {
  echo FLOAT32 FLOAT16 FLOAT64 INT64 INT32 INT16 INT8 UINT64 UINT32 UINT16 UINT8
}

# The first word that is no option.
_anydml_command() {
  local word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then
      echo "$word"
      return
    fi
  done
}

# Arguments: options of compgen, then the words to choose from.
_anydml_offer() {
  mapfile -t COMPREPLY < <(compgen "$@" -- "$current")
}

_anydml_offer_models() {
  compopt -o filenames 2>/dev/null  # which fails outside of a completion
  mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$current"; compgen -d -- "$current")
}

_anydml() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local program=${COMP_WORDS[0]} command
  # Bash splits --device=cpu into three words.
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  command=$(_anydml_command)
  COMPREPLY=()
  case $previous in
    --for) _anydml_offer -W directml; return ;;
    --feature-level) _anydml_offer -W "$(_anydml_feature_levels)"; return ;;
    --device) _anydml_offer -W "$(_anydml_names "$program" devices)"; return ;;
    --input-path | --output-path | --save | --from) compopt -o filenames 2>/dev/null; _anydml_offer -d; return ;;
    --type) _anydml_offer -W "$(_anydml_types)"; return ;;
    -o | --output | --log) compopt -o filenames 2>/dev/null; _anydml_offer -f; return ;;
    --json)
      if [[ $command == bench ]]; then  # elsewhere it takes no value
        compopt -o filenames 2>/dev/null
        _anydml_offer -f
        return
      fi
      ;;
    --loss | --of | --update | --threads | --iterations | --filter | --strategy | --seconds | --passes | --batch) return ;;
    --random | --seed | --feed | --step | --steps | --every | --init) return ;;
  esac
  if [[ $current == -* ]]; then
    local words
    words=$(_anydml_options "$program" "$command")
    case $command in
      run | check | explain | draw | grad) words+=' -' ;;  # a model from standard input
    esac
    _anydml_offer -W "$words"
    return
  fi
  case $command in
    '') _anydml_offer -W "$(_anydml_commands "$program")" ;;
    ops) _anydml_offer -W "$(_anydml_names "$program" ops)" ;;
    run | check | explain | draw | grad | train) _anydml_offer_models ;;
    verify) compopt -o filenames 2>/dev/null; _anydml_offer -f ;;
  esac
}

complete -F _anydml anydml
