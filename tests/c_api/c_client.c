/* SPDX-FileCopyrightText: 2026 The AnyDML authors
 * SPDX-License-Identifier: MIT
 *
 * anydml.h and training.h from C99: they compile without warnings and link by name. */
#include <anydml/anydml.h>
#include <anydml/training.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  anydml_device* device = NULL;
  if (anydml_open_device("cpu", NULL, &device) != ANYDML_OK) {
    fprintf(stderr, "%s\n", anydml_last_error());
    return 1;
  }
  anydml_close_device(device);
  uint32_t order[2] = {2, 2};
  if (anydml_shuffle(1, 0, 2, order) != ANYDML_OK || order[0] + order[1] != 1) return 1;
  return strcmp(anydml_version(), "") == 0;
}
