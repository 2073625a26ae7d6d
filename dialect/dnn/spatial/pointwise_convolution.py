"""Convolutions with a window of one element: products of rows of channels."""

from __future__ import annotations

from lastuse.dialect.dnn.base import Array
from lastuse.dialect.dnn.packable_products import PackableProductBase, PlainProduct
from lastuse.dialect.dnn.spatial.convolution_base import ConvolutionBase


class PointwiseConvolutionBase(ConvolutionBase, PackableProductBase):
    """A convolution that is a product of rows where its window has one element, nothing is around x, and channels are
    last."""

    def plain_product(self) -> PlainProduct | None:
        channels, shape = self.operand_type().shape, self.operand_type(1).shape
        kernel, outputs = self.kernel_of(shape), shape[0]
        if kernel is None or not isinstance(outputs, int) or 0 in shape or any(size != 1 for size in kernel):
            return None
        rule = self.rule(kernel)
        if self.groups != 1 or not self.is_channels_last or any(rule.pads) or channels[-1] != shape[1]:
            return None
        return PlainProduct(outputs, rule.strides)

    def columns_of_weights(self, weights: Array) -> Array:
        return weights.reshape(weights.shape[:2]).T
