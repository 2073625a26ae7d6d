// The memory map as SVG and as a page, and the graph: a box for each storage, values in place joined, the peak, the
// bound; what is in place drawn over the graph.

// RUN: opt-tool --inplace-pass --memory-plan-pass -t svg %s | filecheck %s --check-prefix=SVG
// RUN: opt-tool --inplace-pass --memory-plan-pass -t html %s | filecheck %s --check-prefix=PAGE
// RUN: opt-tool --inplace-pass --memory-plan-pass -t dot %s | filecheck %s --check-prefix=DOT
// RUN: opt-tool -t svg %s | filecheck %s --check-prefix=PLAIN
// RUN: opt-tool --inplace-pass --memory-plan-pass -t 'svg{naive=true}' %s | filecheck %s --check-prefix=BOTH
// RUN: echo kept > %t.svg && opt-tool --inplace-pass --memory-plan-pass -t svg %s -o %t.svg && filecheck %s --check-prefix=SVG --input-file %t.svg

// SVG: <svg xmlns="http://www.w3.org/2000/svg"
// SVG-SAME: <title>Memory map of @main</title>
// SVG: arena 256 bytes · lower bound 256 B, reached · naive 768 B · 1 box<
// SVG-SAME: <rect class="c" x="0" width="70" height="220"><title>0: exp
// SVG: <g class="boxes">
// SVG-NEXT: <g class="b run n0"><title>5 values, 256 bytes at 0
// SVG-NEXT: steps 0 to 4
// SVG-NEXT: %a  dnn.exp  part of %e  from step 0  128 bytes  {{.*}}pictures.mlir:{{[0-9]+}}:8
// SVG-NEXT: %b  dnn.relu  in place over %a  from step 1  128 bytes  {{.*}}pictures.mlir:{{[0-9]+}}:8
// SVG-NEXT: %d  dnn.reshape  view of %b  from step 2  128 bytes  {{.*}}pictures.mlir:{{[0-9]+}}:8
// SVG-NEXT: %e  dnn.concat  from step 3  256 bytes  {{.*}}pictures.mlir:{{[0-9]+}}:8
// SVG-NEXT: %f  dnn.softmax  in place over %e  from step 4  256 bytes  {{.*}}pictures.mlir:{{[0-9]+}}:8</title><rect class="r" x="0" y="0" width="350" height="220"/>
// SVG-SAME: <path class="k" d="M70 110v110"/><path class="q" d="M70 165h0"/>
// SVG-SAME: <path class="k" d="M280 0v220"/>
// SVG: <path class="live" d="M0 220H0V0H350V220H560"/>
// SVG-SAME: <path class="arena" d="M0 0H560">
// SVG-SAME: <path class="bound" d="M0 0H560">
// SVG-SAME: ▾ peak at exp: 256 B in use</text>
// SVG-SAME: ops, in order: 8</text></g></svg>

// PAGE: <!DOCTYPE html>
// PAGE: Content-Security-Policy
// PAGE: <g class="b run n0">
// PAGE: <script type="application/json" id="maps">[{
// PAGE-SAME: "name":"%b","op":"dnn.relu","line":"{{[^"]*}}pictures.mlir:{{[0-9]+}}:8","nbytes":128,"first":1,"how":"in place over %a"
// PAGE: </html>

// DOT: digraph memory {
// DOT: subgraph cluster_0 {
// DOT-NEXT: label="@main"
// DOT-NEXT: [[X:n[0-9]+]] [shape="ellipse", {{.*}}label="%x\ntensor<4x8xf32>"];
// DOT-NEXT: [[A:n[0-9]+]] [shape="box", fillcolor="white", label="dnn.exp\n%a: tensor<4x8xf32>"
// DOT-NEXT: [[B:n[0-9]+]] [shape="box", fillcolor="#d9f0de", label="dnn.relu\n%b: tensor<4x8xf32>"
// DOT-NEXT: [[D:n[0-9]+]] [shape="box", fillcolor="white", label="dnn.reshape
// DOT-NEXT: [[E:n[0-9]+]] [shape="box", fillcolor="#f9d5d3", {{.*}}label="dnn.concat\n%e: tensor<64xf32> at 0\n%d is copied into %e, 128 bytes"
// DOT: [[X]] -> [[A]] [tooltip="%x"];
// DOT-NEXT: [[A]] -> [[B]] [tooltip="%a", color="#15803d", penwidth="3", fontcolor="#15803d", label=" in place"];
// DOT-NEXT: [[B]] -> [[D]] [tooltip="%b", style="dashed"];
// DOT-NEXT: [[D]] -> [[E]] [tooltip="%d", color="#1d4ed8", penwidth="2.4", fontcolor="#1d4ed8", label=" part"];

// PLAIN: @main, not planned: a place for each storage</text>
// PLAIN: arena 768 bytes · lower bound 512 B · naive 768 B · 4 boxes<

// BOTH: <title>Memory map of @main, @main</title>
// BOTH: @main, not planned: a place for each storage</text>
// BOTH: arena 256 bytes · lower bound 256 B, reached
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = "dnn.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = "dnn.relu"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = "dnn.reshape"(%b) : (tensor<4x8xf32>) -> tensor<32xf32>
  %e = "dnn.concat"(%d, %d) {axis = 0 : i64} : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
  %f = "dnn.softmax"(%e) {axis = -1 : i64} : (tensor<64xf32>) -> tensor<64xf32>
  %g = "dnn.softmax"(%x) {axis = -1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %h = "dnn.add"(%g, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %g, %h : tensor<4x8xf32>, tensor<4x8xf32>
}
