/* SPDX-FileCopyrightText: 2026 The AnyDML authors
 * SPDX-License-Identifier: MIT
 *
 * anydml.h from C99: it compiles without warnings and links by name. */
#include <anydml/anydml.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  anydml_device* device = NULL;
  if (anydml_open_device("cpu", NULL, &device) != ANYDML_OK) {
    fprintf(stderr, "%s\n", anydml_last_error());
    return 1;
  }
  anydml_close_device(device);
  return strcmp(anydml_version(), "") == 0;
}
