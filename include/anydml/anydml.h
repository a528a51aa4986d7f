/* SPDX-FileCopyrightText: 2026 The AnyDML authors
 * SPDX-License-Identifier: MIT
 *
 * AnyDML's plain C interface: open a device, create an operator from a
 * DML_OPERATOR_DESC or from JSON text, execute it on pointers.
 *
 *   anydml_device* device;
 *   anydml_operator* op;
 *   anydml_open_device("cpu", NULL, &device);
 *   anydml_create_operator(device, &dml_operator_desc, &op);
 *   anydml_execute(op, inputs, outputs);
 *
 * Every function that can fail returns an anydml_status; the sentence behind a
 * failure is anydml_last_error(). Devices and operators may be used from any
 * number of threads at once. Structs that are passed by pointer begin with
 * their own size, so that later versions can add members: set struct_size to
 * sizeof the struct.
 *
 * Kernels keep up to 290 KiB on the stack of the calling thread: give threads that call
 * the library 512 KiB or more (the usual 8 MiB are plenty).
 *
 * A forked child may go on with devices and operators of the CPU, on its calling
 * thread alone; anydml_start and CUDA need a device of the child's own process. If
 * another thread was inside of the library at the fork, every call in the child is
 * refused.
 */
#ifndef ANYDML_ANYDML_H_
#define ANYDML_ANYDML_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ANYDML_API __attribute__((visibility("default")))
#else
#define ANYDML_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum anydml_status {
  ANYDML_OK = 0,
  ANYDML_INVALID_ARGUMENT = 1, /* a description, binding or argument breaks a rule */
  ANYDML_UNSUPPORTED = 2,      /* known, and not available here */
  ANYDML_OUT_OF_MEMORY = 3,    /* or no thread could be started */
  ANYDML_INTERNAL = 4,         /* a defect of the library */
  ANYDML_DEVICE_LOST = 5       /* a device failed, and what was on it is gone */
} anydml_status;

/* "0.1.0" */
ANYDML_API const char* anydml_version(void);

/* Why the calling thread's last failing call failed: one sentence of at most 4095
 * bytes. Empty before any failure; never null; valid until the thread's next failing
 * call. */
ANYDML_API const char* anydml_last_error(void);

/* ---- Devices ---- */

typedef struct anydml_device anydml_device;

typedef struct anydml_device_info {
  size_t struct_size;
  const char* name;        /* "cpu", "cuda:0": what anydml_open_device takes */
  const char* description; /* for people */
  uint64_t memory_bytes;
  uint32_t threads; /* that the device uses unless told otherwise; 0 for a GPU */
} anydml_device_info;

/* The texts live as long as the library. */
ANYDML_API size_t anydml_device_count(void);
ANYDML_API anydml_status anydml_get_device_info(size_t index, anydml_device_info* info);

typedef struct anydml_device_options {
  size_t struct_size;
  uint32_t threads;       /* 0: one per core */
  uint32_t feature_level; /* a DML_FEATURE_LEVEL to behave as; 0: the newest */
  /* How RESAMPLE_GRAD and RESAMPLE_GRAD1 read their pixel offsets. 0: as the
   * forward operator does, which is what the documentation says. 1: each array
   * belongs to the tensor that its name says, which some programs written for
   * DirectML rely on. -1: what the environment variable ANYDML_PIXEL_OFFSETS says
   * ("documented" or "exchanged"), documented when it is not set. */
  int32_t exchange_pixel_offsets;
} anydml_device_options;

/* `options` may be null: all cores, newest level, offsets by the environment. */
ANYDML_API anydml_status anydml_open_device(const char* name, const anydml_device_options* options,
                                            anydml_device** device);
/* Operators keep their device alive. Null is allowed. */
ANYDML_API void anydml_close_device(anydml_device* device);

/* Memory that the device's operators can work on, aligned to 256 bytes. A program
 * that has memory of its own (any on the CPU; of cudaMalloc and the like on a CUDA
 * device) needs none of these. Free it before the device is closed. */
ANYDML_API anydml_status anydml_allocate(anydml_device* device, uint64_t bytes, void** memory);
ANYDML_API void anydml_free(anydml_device* device, void* memory); /* null is allowed */
/* Between any two of the host's and the device's memories; returns when done. */
ANYDML_API anydml_status anydml_copy(anydml_device* device, void* to, const void* from,
                                     uint64_t bytes);
/* The name of the device that memory belongs to: "cuda:0" and the like, "cpu" for
 * all that no CUDA device knows. The text lives as long as the library. */
ANYDML_API anydml_status anydml_memory_device(const void* memory, const char** name);
/* Returns when the work that a stream of the device holds is done. `stream` is as in
 * anydml_execution; on the CPU these are the executions that were started. */
ANYDML_API anydml_status anydml_synchronize(anydml_device* device, void* stream);

/* ---- Tensors ---- */

/* The least TotalTensorSizeInBytes of a tensor: `data_type` is a
 * DML_TENSOR_DATA_TYPE, `strides` may be null for a packed tensor. Never wraps:
 * a tensor beyond 2^32-1 elements is refused. */
ANYDML_API anydml_status anydml_tensor_bytes(uint32_t data_type, uint32_t dimension_count,
                                             const uint32_t* sizes, const uint32_t* strides,
                                             uint64_t* bytes);

/* ---- Operators ---- */

typedef struct anydml_operator anydml_operator;
struct DML_OPERATOR_DESC; /* of directml.h */

/* Validates, copies and compiles: the description and all that it points to may
 * go away afterwards. Creating an equal operator again is cheap. An output tensor
 * that is null is packed, of the data type and sizes that the other fields lead to;
 * anydml_get_output_info tells them. Where they lead to none it is refused. */
ANYDML_API anydml_status anydml_create_operator(anydml_device* device,
                                                const struct DML_OPERATOR_DESC* desc,
                                                anydml_operator** op);
/* The same from text: {"type": "ACTIVATION_RELU_GRAD", "desc": {...}} with the
 * struct's field names, output tensors left out as it pleases; see docs/models.md. */
ANYDML_API anydml_status anydml_create_operator_from_json(anydml_device* device, const char* json,
                                                          anydml_operator** op);
/* Executions that were started keep what they need. Null is allowed. */
ANYDML_API void anydml_release_operator(anydml_operator* op);

typedef struct anydml_operator_info {
  size_t struct_size;
  const char* name; /* "MAX_POOLING_GRAD" */
  uint32_t type;    /* DML_OPERATOR_TYPE */
  uint32_t input_count;
  uint32_t output_count;
  uint64_t temporary_bytes; /* that an execution needs beside its tensors */
  const char* strategy;     /* the kernel that was chosen */
  uint64_t table_bytes;     /* that the operator keeps; equal operators share them */
} anydml_operator_info;

/* The texts live as long as the operator. */
ANYDML_API anydml_status anydml_get_operator_info(const anydml_operator* op,
                                                  anydml_operator_info* info);

typedef struct anydml_tensor_info {
  size_t struct_size;
  const char* name; /* the field of the description: "InputTensor" */
  uint32_t is_present;
  uint32_t data_type; /* DML_TENSOR_DATA_TYPE */
  uint32_t dimension_count;
  uint32_t sizes[8];
  uint32_t strides[8]; /* in elements */
  uint64_t total_bytes;
  uint32_t may_be_overwritten; /* an input that the output may alias (same strides) */
} anydml_tensor_info;

/* Inputs and outputs are numbered separately, in the order of the description;
 * an optional tensor that is absent keeps its number, an array of tensors has a
 * number per entry. */
ANYDML_API anydml_status anydml_get_input_info(const anydml_operator* op, uint32_t index,
                                               anydml_tensor_info* info);
ANYDML_API anydml_status anydml_get_output_info(const anydml_operator* op, uint32_t index,
                                                anydml_tensor_info* info);

/* An output of a description before an operator is made of it: as given, or as the
 * other fields lead to, also of an optional one that is left out (then is_present is 0
 * where they lead to none). The name lives as long as the library. */
ANYDML_API anydml_status anydml_describe_output(const char* json, uint32_t index,
                                                anydml_tensor_info* info);

/* All operators as JSON text: an array of objects with name, value, level,
 * tensors, fields, support, constraints, in_place, devices. A field's "default" is
 * what a language binding may put where its caller says nothing; structs and JSON
 * descriptions have no defaults. Lives as long as the library. "[]" when there is
 * no memory for it. */
ANYDML_API const char* anydml_operators_json(void);

/* ---- Execution ---- */

/* One pointer per input and output; null for absent optional tensors. Memory is
 * read and written in the layout that the description states, and must be
 * aligned to the element size. On a CUDA device the work goes to the default
 * stream. Returns when the result is there. */
ANYDML_API anydml_status anydml_execute(anydml_operator* op, const void* const* inputs,
                                        void* const* outputs);

typedef struct anydml_event anydml_event;

typedef struct anydml_execution {
  size_t struct_size;
  const void* const* inputs; /* input_count of them */
  void* const* outputs;      /* output_count of them */
  void* temporary;           /* null: the library's own; else temporary_bytes, 256-byte aligned,
                              * apart from the tensors */
  void* stream;              /* a cudaStream_t on a CUDA device; null on the CPU */
} anydml_execution;

/* Starts an execution and returns. Executions on one CPU device run one after
 * the other, in the order in which they were started; on a CUDA device they join
 * the work of their stream. The memory must stay until
 * the execution is done. `event` may be null when nobody will wait. */
ANYDML_API anydml_status anydml_start(anydml_operator* op, const anydml_execution* execution,
                                      anydml_event** event);
/* Returns the status of the execution; its error becomes the caller's last
 * error. May be called more than once, from any thread. */
ANYDML_API anydml_status anydml_wait(anydml_event* event);
/* Does not wait. Null is allowed. */
ANYDML_API void anydml_release_event(anydml_event* event);

/* ---- Graphs ---- */

/* A graph of values: operators take values and give values, and one call adds the
 * gradients. What is compiled of it is an anydml_operator like any other, whose
 * inputs are the graph's in the order in which they were made. Unlike devices and
 * operators, a graph is for one thread at a time. */
typedef struct anydml_graph anydml_graph;
/* A value of one graph; 0 is none. */
typedef uint32_t anydml_value;

ANYDML_API anydml_status anydml_graph_create(anydml_graph** graph);
/* What was compiled of it stays. Null is allowed. */
ANYDML_API void anydml_graph_release(anydml_graph* graph);

/* A packed tensor that an execution is given. The name is no other value's. */
ANYDML_API anydml_status anydml_graph_input(anydml_graph* graph, const char* name,
                                            uint32_t data_type, uint32_t dimension_count,
                                            const uint32_t* sizes, anydml_value* value);
/* A packed tensor that the graph holds: `data` is copied. */
ANYDML_API anydml_status anydml_graph_constant(anydml_graph* graph, uint32_t data_type,
                                               uint32_t dimension_count, const uint32_t* sizes,
                                               const void* data, anydml_value* value);
/* An operator from text, {"type": "MAX_POOLING", "desc": {"WindowSize": [2, 2]}}: its
 * settings, without input tensors. Inputs and outputs are in the order of the
 * description; an input is 0 where an optional tensor is absent. What follows from the
 * inputs or has a default (anydml_operators_json) may be left out: counts, arrays,
 * output tensors. `outputs` takes the first output_count of the operator's outputs, 0
 * for those that are absent; it may be the array of inputs. */
ANYDML_API anydml_status anydml_graph_operator(anydml_graph* graph, const char* json,
                                               uint32_t input_count, const anydml_value* inputs,
                                               uint32_t output_count, anydml_value* outputs);
/* The same from a struct, whose pointers to input tensors are null. An output tensor
 * that is null is inferred, as in anydml_create_operator. */
ANYDML_API anydml_status anydml_graph_operator_from_desc(
    anydml_graph* graph, const struct DML_OPERATOR_DESC* desc, uint32_t input_count,
    const anydml_value* inputs, uint32_t output_count, anydml_value* outputs);
/* The same bytes by other sizes and strides (in elements), within those of the value:
 * no operator. Stride 0 repeats, which is how a value is broadcast. */
ANYDML_API anydml_status anydml_graph_view(anydml_graph* graph, anydml_value value,
                                           uint32_t dimension_count, const uint32_t* sizes,
                                           const uint32_t* strides, anydml_value* view);

/* Sizes, strides and type; the name is the input's or that of anydml_graph_set_name, else
 * empty, and lives as long as the graph. */
ANYDML_API anydml_status anydml_graph_value_info(const anydml_graph* graph, anydml_value value,
                                                 anydml_tensor_info* info);
/* Names a value that is no input, for outputs, sentences and models; no other has it. */
ANYDML_API anydml_status anydml_graph_set_name(anydml_graph* graph, anydml_value value,
                                               const char* name);
/* The value of a name; 0 where there is none, which is no failure. */
ANYDML_API anydml_status anydml_graph_find(const anydml_graph* graph, const char* name,
                                           anydml_value* value);

/* The gradients of `loss`, which has one element, with respect to `count` values, which
 * are no views: added to the graph, packed, with the sizes of those values. Zeros where
 * the derivative is zero; a value that the loss does not depend on is refused, as is an
 * operator on the way that has no gradient. */
ANYDML_API anydml_status anydml_graph_gradients(anydml_graph* graph, anydml_value loss,
                                                uint32_t count, const anydml_value* of,
                                                anydml_value* gradients);

/* The output and the input, by number, that an execution may give the same memory. */
typedef struct anydml_shared_memory {
  uint32_t output;
  uint32_t input;
} anydml_shared_memory;

/* Compiles what gives these outputs; the graph may grow afterwards and be compiled again.
 * An output that shares memory with an input is written after that input's last reader,
 * or refused. An input that no output depends on is not present (anydml_tensor_info), and
 * its pointer is ignored. An output that is a view which rearranges, repeats or leaves out
 * elements is packed. */
ANYDML_API anydml_status anydml_graph_compile(anydml_device* device, const anydml_graph* graph,
                                              uint32_t output_count, const anydml_value* outputs,
                                              uint32_t shared_count,
                                              const anydml_shared_memory* shared,
                                              anydml_operator** op);

/* What a constant holds, and an input that comes from a model: null and 0 for other
 * values. Lives as long as the graph. */
ANYDML_API anydml_status anydml_graph_contents(const anydml_graph* graph, anydml_value value,
                                               const void** data, uint64_t* bytes);
/* A model in DxDispatch's format (docs/models.md) that computes these outputs and prints
 * them; inputs without contents are zeros. The text lives until the graph is released or
 * written again. */
ANYDML_API anydml_status anydml_graph_to_json(anydml_graph* graph, uint32_t output_count,
                                              const anydml_value* outputs, const char** json);
/* A model as a graph, whose values are found by the names of the resources: what no
 * dispatch writes is an input, in the order in which they are first read, with contents.
 * A model that writes a resource twice, or after it was read, is no graph. `input_path` is
 * the folder of its files; null: the current one. */
ANYDML_API anydml_status anydml_graph_from_json(const char* json, const char* input_path,
                                                anydml_graph** graph);

#ifdef __cplusplus
}
#endif

#endif /* ANYDML_ANYDML_H_ */
