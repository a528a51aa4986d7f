/* SPDX-FileCopyrightText: 2026 The AnyDML authors
 * SPDX-License-Identifier: MIT
 *
 * Training of graphs (anydml.h) in C: losses, optimizers, trainers, checkpoints and data.
 * A step - forward, backward, update - is one compiled graph; equal models, data and seeds
 * give the same bits on every device. docs/training.md has a whole program.
 */
#ifndef ANYDML_TRAINING_H_
#define ANYDML_TRAINING_H_

#include "anydml/anydml.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Losses and layers ---- */

typedef enum anydml_loss {
  ANYDML_CROSS_ENTROPY = 0,        /* scores {N, C, ...}, classes UINT32 {N, ...} */
  ANYDML_MEAN_SQUARE = 1,          /* this and the following: two tensors of equal sizes */
  ANYDML_BINARY_CROSS_ENTROPY = 2, /* scores that go through a sigmoid */
  ANYDML_DICE = 3                  /* likewise */
} anydml_loss;

/* One FLOAT32 element (docs/rulings.md, B143). */
ANYDML_API anydml_status anydml_graph_loss(anydml_graph* graph, anydml_loss kind,
                                           anydml_value prediction, anydml_value target,
                                           anydml_value* loss);

/* Batch normalization of x {N, C, ...} by scale, bias and running statistics of {1, C, 1, ...}
 * each (B144). next_mean and next_variance are what a training makes of the statistics; where
 * both are null the statistics are used as they are. */
ANYDML_API anydml_status anydml_graph_batch_normalization(
    anydml_graph* graph, anydml_value x, anydml_value scale, anydml_value bias, anydml_value mean,
    anydml_value variance, float momentum, float epsilon, anydml_value* output,
    anydml_value* next_mean, anydml_value* next_variance);

/* ---- Trainers ---- */

typedef enum anydml_initial {
  ANYDML_ZEROS = 0,
  ANYDML_ONES = 1,
  ANYDML_UNIFORM = 2 /* in [-bound, bound), by the seed and the input's name */
} anydml_initial;

/* An input of the graph that is kept from step to step. */
typedef struct anydml_parameter {
  anydml_value value;
  anydml_value next; /* what the graph makes of it, such as a running mean; 0: the optimizer does */
  uint32_t initial;  /* an anydml_initial */
  float bound;       /* 0: sqrt(6 / the product of all sizes but the first) */
} anydml_parameter;

typedef enum anydml_optimizer_kind { ANYDML_SGD = 0, ANYDML_ADAM = 1 } anydml_optimizer_kind;

typedef struct anydml_optimizer {
  size_t struct_size;
  uint32_t kind; /* an anydml_optimizer_kind */
  float learning_rate;
  float momentum; /* of SGD; 0: none */
  float beta1;    /* of Adam */
  float beta2;
  float epsilon;
} anydml_optimizer;

/* For one thread at a time. */
typedef struct anydml_trainer anydml_trainer;

/* Compiles the step. The graph's other inputs are fed per step; the graph may go away. */
ANYDML_API anydml_status anydml_create_trainer(anydml_device* device, const anydml_graph* graph,
                                               anydml_value loss, uint32_t parameter_count,
                                               const anydml_parameter* parameters,
                                               const anydml_optimizer* optimizer, uint64_t seed,
                                               anydml_trainer** trainer);
/* Null is allowed. */
ANYDML_API void anydml_release_trainer(anydml_trainer* trainer);

/* `fed` are addresses of the host, of packed tensors in the order of the graph's inputs. On a
 * CUDA device it returns when the step is on its way. */
ANYDML_API anydml_status anydml_trainer_step(anydml_trainer* trainer, uint32_t count,
                                             const void* const* fed);
/* Of the last step, for which it waits. */
ANYDML_API anydml_status anydml_trainer_loss(const anydml_trainer* trainer, float* loss);
ANYDML_API anydml_status anydml_trainer_set_learning_rate(anydml_trainer* trainer, float rate);

/* As if `trainer` had made the steps of `from`, whose weights, moments, statistics, steps, seed and
 * rate it takes: for batches of another size. Both keep the same. */
ANYDML_API anydml_status anydml_trainer_continue(anydml_trainer* trainer,
                                                 const anydml_trainer* from);

typedef struct anydml_trainer_info {
  size_t struct_size;
  uint64_t steps;
  uint64_t seed;
  uint32_t fed_count;
  uint32_t kept_count; /* parameters, moments, statistics, the counter of steps */
  float learning_rate;
  const char* model;     /* 64 hexadecimal digits: of the graph, the loss and the optimizer */
  uint64_t memory_bytes; /* of the device: what is kept, fed and calculated on the way */
} anydml_trainer_info;

/* The text lives as long as the trainer. */
ANYDML_API anydml_status anydml_get_trainer_info(const anydml_trainer* trainer,
                                                 anydml_trainer_info* info);
ANYDML_API anydml_status anydml_get_fed_info(const anydml_trainer* trainer, uint32_t index,
                                             anydml_tensor_info* info);
/* `memory` is the device's: for operators that evaluate the model between steps, and for
 * anydml_copy. It stays the same; null: not asked for. */
ANYDML_API anydml_status anydml_get_kept_info(const anydml_trainer* trainer, uint32_t index,
                                              anydml_tensor_info* info, void** memory);

/* The same by its name, into memory of the host, packed. `bytes` must be what it has:
 * 4 per FLOAT32. */
ANYDML_API anydml_status anydml_trainer_read(const anydml_trainer* trainer, const char* name,
                                             uint64_t bytes, void* values);

/* ---- Learning rates that change ---- */

typedef enum anydml_schedule_kind {
  ANYDML_CONSTANT = 0,
  ANYDML_STEP_DECAY = 1, /* times `factor` after every `steps` steps */
  ANYDML_COSINE = 2      /* half a wave to `last`, `steps` steps after the warm-up */
} anydml_schedule_kind;

typedef struct anydml_schedule {
  size_t struct_size;
  uint32_t kind; /* an anydml_schedule_kind */
  float learning_rate;
  float factor;
  float last;
  uint64_t warm_up; /* steps in which the rate rises linearly; 0: none */
  uint64_t steps;
} anydml_schedule;

/* The rate for anydml_trainer_set_learning_rate before the step that follows `steps_made`
 * others (anydml_trainer_info.steps). Equal on every machine (B147). */
ANYDML_API anydml_status anydml_scheduled_rate(const anydml_schedule* schedule, uint64_t steps_made,
                                               float* rate);

/* ---- Checkpoints ---- */

/* A folder with manifest.json, weights.bin and an .npy file per tensor that is kept. It appears
 * whole or not at all, and takes the place of an older one. `position` is the caller's: how far
 * it is in its data. */
ANYDML_API anydml_status anydml_trainer_save(const anydml_trainer* trainer, const char* folder,
                                             uint64_t position);
/* Into a trainer of the same model; what follows has the bits of a training that was not
 * interrupted. */
ANYDML_API anydml_status anydml_trainer_load(anydml_trainer* trainer, const char* folder,
                                             uint64_t* position);
/* 64 hexadecimal digits and a zero: what `sha256sum weights.bin` would print (B145). */
ANYDML_API anydml_status anydml_trainer_checksum(const anydml_trainer* trainer, char digits[65]);

/* ---- Weights without a trainer ---- */

/* The first values that a trainer of this seed gives an input of this name and these sizes
 * (ANYDML_UNIFORM; B141), as packed FLOAT32. */
ANYDML_API anydml_status anydml_initial_weight(uint64_t seed, const char* name,
                                               uint32_t dimension_count, const uint32_t* sizes,
                                               float bound, float* values);

typedef struct anydml_weight {
  const char* name;
  uint32_t dimension_count;
  const uint32_t* sizes;
  const float* values; /* packed, in memory of the host */
} anydml_weight;

/* What anydml_trainer_checksum gives of a trainer with these parameters. */
ANYDML_API anydml_status anydml_checksum(uint32_t count, const anydml_weight* weights,
                                         char digits[65]);

/* ---- Data ---- */

/* A file in the IDX format of MNIST, unpacked: unsigned bytes. */
typedef struct anydml_idx {
  uint32_t dimension_count;
  uint32_t sizes[8];
  const uint8_t* data;
} anydml_idx;
ANYDML_API anydml_status anydml_read_idx(const char* path, const anydml_idx** idx);
/* Null is allowed. */
ANYDML_API void anydml_release_idx(const anydml_idx* idx);

/* The order of `count` samples in an epoch: a permutation by seed and epoch alone (B142). */
ANYDML_API anydml_status anydml_shuffle(uint64_t seed, uint64_t epoch, uint32_t count,
                                        uint32_t* order);

#ifdef __cplusplus
}
#endif

#endif /* ANYDML_TRAINING_H_ */
