// `layout=first` leaves channels where they are; `auto` is the default.

// RUN: opt-tool --layout-pass=layout=first %s | filecheck %s --check-prefix=FIRST
// RUN: opt-tool --layout-pass=layout=auto %s | filecheck %s --check-prefix=AUTO
// RUN: not opt-tool --layout-pass=layout=last %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: no layout 'last'; there are auto, first

// FIRST-LABEL: @main
// FIRST-NEXT: %y = "dnn.conv"(%x, %w) :
// AUTO-LABEL: @main
// AUTO: "dnn.conv"({{.*}}) {channels_last = true}
func.func @main(%x: tensor<2x64x9x9xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32> {
  %y = "dnn.conv"(%x, %w) : (tensor<2x64x9x9xf32>, tensor<64x64x3x3xf32>) -> tensor<2x64x7x7xf32>
  func.return %y : tensor<2x64x7x7xf32>
}
