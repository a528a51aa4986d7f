# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Runs the reference on one description and returns the JSON entry of make_reference_data.py."""
import numpy as np

MODES = ('NEAREST_NEIGHBOR', 'LINEAR')             # index = DML_INTERPOLATION_MODE
DIRECTIONS = ('INCREASING', 'DECREASING')          # index = DML_AXIS_DIRECTION
INCREASING, DECREASING = 0, 1
NEAREST, LINEAR = 0, 1


def bits(array):
    """The same elements as unsigned integers."""
    return np.ascontiguousarray(array).view('u%d' % array.dtype.itemsize)


def to_hex(array):
    return array.astype(array.dtype.newbyteorder('<')).tobytes().hex()


def canonical_nan(array):
    """A copy in which every NaN is the positive quiet one without payload."""
    result = array.copy()
    if result.dtype.kind == 'f':
        result[np.isnan(result)] = np.nan
    return result


def float_list(values):
    return [float(np.float32(v)) for v in values]


def int_list(values):
    return [int(v) for v in values]


class ReferenceEntries:
    """One method per operator: arrays and attributes in, entry out."""

    def __init__(self, reference, compute):
        self.reference = reference
        self.compute = compute
        self.type_names = {np.dtype(t): name for name, t in reference.NUMPY_TYPE.items()}

    def tensor(self, array):
        return {'DataType': self.type_names[array.dtype], 'Sizes': int_list(array.shape)}

    def entry(self, name, operator, tensors, attributes):
        fields = {key: self.tensor(array) for key, array in tensors.items()}
        fields.update(attributes)
        return {'name': name, 'operator': operator, 'fields': fields,
                'data': {key: to_hex(array) for key, array in tensors.items()}}

    # -------------------------------------------------------------- selections: bit copies

    @staticmethod
    def check_selection(result, select, gradient):
        """A passed element keeps its bits, the others are +0: numpy must not have touched a NaN."""
        passed = select(np.ones_like(gradient)) == 1
        assert np.array_equal(bits(result), np.where(passed, bits(gradient), 0))

    def activation_relu_grad(self, name, x, gradient):
        def select(dy):
            return self.reference.relu_grad(x, dy)
        result = select(gradient)
        self.check_selection(result, select, gradient)
        return self.entry(name, 'ACTIVATION_RELU_GRAD', {
            'InputTensor': x, 'InputGradientTensor': gradient, 'OutputGradientTensor': result}, {})

    def activation_relu(self, name, x):
        x = canonical_nan(x)
        result = canonical_nan(self.reference.relu(x))
        return self.entry(name, 'ACTIVATION_RELU', {'InputTensor': x, 'OutputTensor': result}, {})

    def bounds(self, low, high):
        assert low.dtype == high.dtype
        return {'MinMaxDataType': self.type_names[low.dtype],
                'Min': {'Bytes': to_hex(low)}, 'Max': {'Bytes': to_hex(high)}}

    def element_wise_clip_grad1(self, name, x, gradient, low, high):
        def select(dy):
            return self.reference.clip_grad1(x, dy, low[()], high[()])
        result = select(gradient)
        self.check_selection(result, select, gradient)
        return self.entry(name, 'ELEMENT_WISE_CLIP_GRAD1', {
            'InputTensor': x, 'InputGradientTensor': gradient, 'OutputGradientTensor': result},
            self.bounds(low, high))

    def element_wise_clip1(self, name, x, low, high):
        x = canonical_nan(x)
        exact = self.reference.exact
        result = canonical_nan(self.reference.clip1(x, exact(low[()]), exact(high[()])))
        return self.entry(name, 'ELEMENT_WISE_CLIP1', {'InputTensor': x, 'OutputTensor': result},
                          self.bounds(low, high))

    # -------------------------------------------------------------- slices: bit copies

    @staticmethod
    def slice_fields(window):
        offsets, sizes, strides = window
        return {'DimensionCount': len(offsets), 'InputWindowOffsets': int_list(offsets),
                'InputWindowSizes': int_list(sizes), 'InputWindowStrides': int_list(strides)}

    def slice_grad(self, name, gradient, out_sizes, window):
        result = self.reference.slice_grad(gradient, out_sizes, *window)
        assert np.array_equal(bits(result), self.reference.slice_grad(bits(gradient), out_sizes, *window))
        return self.entry(name, 'SLICE_GRAD', {
            'InputGradientTensor': gradient, 'OutputGradientTensor': result}, self.slice_fields(window))

    def slice1(self, name, x, out_sizes, window):
        result = self.reference.slice1(x, out_sizes, *window)
        assert np.array_equal(bits(result), self.reference.slice1(bits(x), out_sizes, *window))
        return self.entry(name, 'SLICE1', {'InputTensor': x, 'OutputTensor': result},
                          self.slice_fields(window))

    # -------------------------------------------------------------- resampling: ordered sums

    @staticmethod
    def resample_fields(mode, rounding, axes):
        fields = {'InterpolationMode': MODES[mode]}
        if rounding is not None:
            fields['RoundingDirection'] = DIRECTIONS[rounding]
        scales, in_offsets, out_offsets = axes
        fields.update(DimensionCount=len(scales), Scales=float_list(scales),
                      InputPixelOffsets=float_list(in_offsets), OutputPixelOffsets=float_list(out_offsets))
        return fields

    @staticmethod
    def sums(result, source):
        """Sums have canonical NaNs; a resampling that changes nothing is a bit copy."""
        copied = result.shape == source.shape and np.array_equal(bits(result), bits(source))
        return result if copied else canonical_nan(result)

    def resample_grad1(self, name, gradient, out_sizes, mode, rounding, axes):
        result = self.reference.ordered_resample_grad1(gradient, out_sizes, mode, rounding, *axes)
        return self.entry(name, 'RESAMPLE_GRAD1', {
            'InputGradientTensor': gradient, 'OutputGradientTensor': self.sums(result, gradient)},
            self.resample_fields(mode, rounding, axes))

    def resample_grad(self, name, gradient, out_sizes, mode, axes):
        """No rounding field: NEAREST is floor(x + 0.5), by way of the input offsets (ruling B8)."""
        scales, in_offsets, out_offsets = axes
        if mode == NEAREST:
            in_offsets = [np.float32(v) - np.float32(0.5) for v in in_offsets]
        result = self.reference.ordered_resample_grad1(gradient, out_sizes, mode, DECREASING,
                                                       scales, in_offsets, out_offsets)
        return self.entry(name, 'RESAMPLE_GRAD', {
            'InputGradientTensor': gradient, 'OutputGradientTensor': self.sums(result, gradient)},
            self.resample_fields(mode, None, axes))

    def resample2(self, name, x, out_sizes, mode, rounding, axes):
        result = self.reference.ordered_resample2(x, out_sizes, mode, rounding, *axes)
        return self.entry(name, 'RESAMPLE2', {'InputTensor': x, 'OutputTensor': self.sums(result, x)},
                          self.resample_fields(mode, rounding, axes))

    # -------------------------------------------------------------- max pooling

    @staticmethod
    def pooling_fields(geometry):
        window, strides, start, end, dilations = geometry
        return {'DimensionCount': len(window), 'Strides': int_list(strides), 'WindowSize': int_list(window),
                'StartPadding': int_list(start), 'EndPadding': int_list(end), 'Dilations': int_list(dilations)}

    def max_pooling_grad(self, name, x, gradient, geometry):
        result = canonical_nan(self.reference.ordered_max_pooling_grad(x, gradient, *geometry))
        return self.entry(name, 'MAX_POOLING_GRAD', {
            'InputTensor': x, 'InputGradientTensor': gradient, 'OutputGradientTensor': result},
            self.pooling_fields(geometry))

    def max_pooling2(self, name, x, out_sizes, geometry, index_type):
        """index_type: np.uint64, np.uint32 or None (no OutputIndicesTensor)."""
        x = canonical_nan(x)
        result, indices = self.reference.max_pooling2(x, *geometry, out_sizes=out_sizes)
        tensors = {'InputTensor': x, 'OutputTensor': canonical_nan(result)}
        if index_type is not None:
            tensors['OutputIndicesTensor'] = indices.astype(index_type)     # empty window: all ones
        return self.entry(name, 'MAX_POOLING2', tensors, self.pooling_fields(geometry))

    # -------------------------------------------------------------- sums of products

    def gemm(self, name, a, b, c, attributes):
        """attributes: trans_a, trans_b, alpha and beta, as the reference has them."""
        result = canonical_nan(self.compute.ordered_gemm(a, b, c, **attributes))
        transforms = ('NONE', 'TRANSPOSE')
        tensors = {'ATensor': a, 'BTensor': b}
        if c is not None:
            tensors['CTensor'] = c
        tensors['OutputTensor'] = result
        return self.entry(name, 'GEMM', tensors, {
            'TransA': transforms[attributes['trans_a']], 'TransB': transforms[attributes['trans_b']],
            'Alpha': float(np.float32(attributes['alpha'])), 'Beta': float(np.float32(attributes['beta']))})

    def convolution(self, name, x, w, bias, out_sizes, geometry):
        """geometry: mode, direction, strides, dilations, start, end, out_pad and groups."""
        result = canonical_nan(self.compute.ordered_convolution(x, w, out_sizes, bias, **geometry))
        tensors = {'InputTensor': x, 'FilterTensor': w}
        if bias is not None:
            tensors['BiasTensor'] = bias
        tensors['OutputTensor'] = result
        return self.entry(name, 'CONVOLUTION', tensors, {
            'Mode': ('CONVOLUTION', 'CROSS_CORRELATION')[geometry['mode']],
            'Direction': ('FORWARD', 'BACKWARD')[geometry['direction']],
            'DimensionCount': x.ndim - 2, 'Strides': int_list(geometry['strides']),
            'Dilations': int_list(geometry['dilations']), 'StartPadding': int_list(geometry['start']),
            'EndPadding': int_list(geometry['end']), 'OutputPadding': int_list(geometry['out_pad']),
            'GroupCount': int(geometry['groups'])})
