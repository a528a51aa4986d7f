// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The DirectML API at target version 0x6400: constants here, the rest in the parts under
// directml/. Binary compatible with Microsoft's header of this name, whose include guard it
// shares so that the two cannot meet in one translation unit. Interface identifiers are not
// attached here but in directml_guids.h, because Linux clients attach their own.

#ifndef DIRECTML_H
#define DIRECTML_H

#include <wsl/winadapter.h>  // d3d12.h expects IUnknown

#include "d3d12.h"

// A client may define this to attach something else to the interfaces. Both macros are empty on
// Linux.
#ifndef DML_DECLARE_INTERFACE
#define DML_DECLARE_INTERFACE(iid) DECLSPEC_UUID(iid) DECLSPEC_NOVTABLE
#endif

// What is declared; level 6.4 is 0x6400. The newest unless the client asks for less, or
// targets a version of Windows and with it the DirectML that this version ships.
#ifndef DML_TARGET_VERSION
#if !defined(NTDDI_VERSION) || defined(DML_TARGET_VERSION_USE_LATEST)
#define DML_TARGET_VERSION 0x6400
#elif defined(NTDDI_WIN10_ZN) && NTDDI_VERSION >= NTDDI_WIN10_ZN
#define DML_TARGET_VERSION 0x6000
#elif defined(NTDDI_WIN10_NI) && NTDDI_VERSION >= NTDDI_WIN10_NI
#define DML_TARGET_VERSION 0x5000
#elif defined(NTDDI_WIN10_CO) && NTDDI_VERSION >= NTDDI_WIN10_CO
#define DML_TARGET_VERSION 0x4000
#elif defined(NTDDI_WIN10_FE) && NTDDI_VERSION >= NTDDI_WIN10_FE
#define DML_TARGET_VERSION 0x3000
#elif defined(NTDDI_WIN10_VB) && NTDDI_VERSION >= NTDDI_WIN10_VB
#define DML_TARGET_VERSION 0x2000
#else
#define DML_TARGET_VERSION 0x1000
#endif
#endif  // DML_TARGET_VERSION

// The most dimensions a tensor has: 5 below feature level 3.0, 8 from there on.
constexpr UINT DML_TENSOR_DIMENSION_COUNT_MAX = 5;
#if DML_TARGET_VERSION >= 0x3000
constexpr UINT DML_TENSOR_DIMENSION_COUNT_MAX1 = 8;
#endif

// In bytes.
constexpr UINT DML_TEMPORARY_BUFFER_ALIGNMENT = 256;
constexpr UINT DML_PERSISTENT_BUFFER_ALIGNMENT = 256;
constexpr UINT DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT = 16;

#include "directml/core.h"
#include "directml/enumerations.h"
#include "directml/interfaces.h"
#include "directml/operator_types.h"
#include "directml/operators_1_0.h"
#include "directml/operators_1_0_activation.h"
#include "directml/operators_1_0_element_wise.h"

#if DML_TARGET_VERSION >= 0x2000
#include "directml/operators_2_0.h"
#endif

#if DML_TARGET_VERSION >= 0x2100
#include "directml/operators_2_1.h"
#endif

#if DML_TARGET_VERSION >= 0x3000
#include "directml/operators_3_0.h"
#endif

#if DML_TARGET_VERSION >= 0x3100
#include "directml/operators_3_1.h"
#endif

#if DML_TARGET_VERSION >= 0x4000
#include "directml/operators_4_0.h"
#endif

#if DML_TARGET_VERSION >= 0x4100
#include "directml/operators_4_1.h"
#endif

#if DML_TARGET_VERSION >= 0x5000
#include "directml/operators_5_0.h"
#endif

#if DML_TARGET_VERSION >= 0x5100
#include "directml/operators_5_1.h"
#endif

// Levels 5.2 and 6.0 add no operator.

#if DML_TARGET_VERSION >= 0x6100
#include "directml/operators_6_1.h"
#endif

#if DML_TARGET_VERSION >= 0x6200
#include "directml/operators_6_2.h"
#endif

#if DML_TARGET_VERSION >= 0x6300
#include "directml/operators_6_3.h"
#endif

#if DML_TARGET_VERSION >= 0x6400
#include "directml/operators_6_4.h"
#endif

#endif  // DIRECTML_H
