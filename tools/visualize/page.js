"use strict";
// The page of a memory map: what the pointer is over is told aside, the wheel zooms, a drag moves, a word filters.
// The picture itself is there without this script; here its groups are moved, and labels and scales are written anew.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const LETTER = 10, DEEPEST = 4096;
  const maps = JSON.parse(document.getElementById("maps").textContent);
  const panels = [...document.querySelectorAll(".panel")];
  const aside = document.querySelector("aside");
  const filter = document.querySelector("input");
  const count = document.querySelector(".count");
  let pinned = null;

  const rounded = (bytes, digits = 3) => {
    let power = 0;
    while (bytes >= 1024 && power < 6) { bytes /= 1024; power++; }
    const unit = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][power];
    return `${bytes < 1000 ? Number(bytes.toPrecision(digits)) : Math.round(bytes)} ${unit}`;
  };
  const exact = (bytes) => `${bytes.toLocaleString("en")} byte${bytes === 1 ? "" : "s"}`;
  const wide = (text) => [...text].reduce((sum, c) => sum + (c.codePointAt(0) > 0x2e7f ? 1 : 0.6), 0) * LETTER;

  const make = (parent, name, text, attributes) => {
    const made = parent.namespaceURI === SVG ? document.createElementNS(SVG, name) : document.createElement(name);
    if (text !== null) made.textContent = text;
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    parent.append(made);
    return made;
  };

  // What is told of a box

  const lines = (value) => [value.how, value.line].filter(Boolean).join(", ");

  const tell = (map, box) => {
    aside.replaceChildren();
    const first = box.values[0];
    make(aside, "h2", box.values.length > 1 ? `${box.count} values in one place` : first.name);
    const list = make(aside, "dl", null);
    const row = (name, text) => { if (text) { make(list, "dt", name); make(list, "dd", text); } };
    row("bytes", exact(box.size));
    row("at", `${box.offset.toLocaleString("en")} to ${(box.offset + box.size).toLocaleString("en")}`);
    const named = (step) => map.steps[step] ? `${step} ${map.steps[step].name}` : `${step}`;
    row("steps", box.last > box.first ? `${named(box.first)} to ${named(box.last)}` : named(box.first));
    if (box.values.length === 1) {
      row("kind", box.kind);
      row("op", first.op);
      row("where", lines(first));
      return;
    }
    const values = make(aside, "ol", null);
    for (const value of box.values) {
      const item = make(values, "li", `${value.name}  ${value.op} `);
      make(item, "small", `from step ${value.first}, ${exact(value.nbytes)}` + (lines(value) ? `, ${lines(value)}` : ""));
    }
    if (box.count > box.values.length) make(aside, "small", `and ${(box.count - box.values.length).toLocaleString("en")} more`);
  };

  const tellStep = (map, number) => {
    const step = map.steps[number];
    if (!step) return;
    aside.replaceChildren();
    make(aside, "h2", `step ${number}: ${step.name}`);
    const list = make(aside, "dl", null);
    for (const [name, text] of [["results", step.detail], ["line", step.line], ["in use", exact(step.live)]]) {
      if (text) { make(list, "dt", name); make(list, "dd", text); }
    }
  };

  // One panel

  const setUp = (panel, map) => {
    const plot = panel.querySelector(".plot"), inner = plot.querySelector(".z"), labels = plot.querySelector(".l");
    const below = panel.querySelector(".xl"), beside = panel.querySelector(".yl"), bands = panel.querySelector(".bands");
    const axis = panel.querySelector(".axis");
    const boxes = [...plot.querySelectorAll(".b")];
    const width = map.width, height = map.height, columns = map.columns;
    const head = Number(plot.getAttribute("y"));
    const whole = { x: 0, y: 0, kx: 1, ky: 1 };
    const kept = { below: [...below.childNodes], beside: [...beside.childNodes], labels: [...labels.childNodes] };
    let view = { ...whole }, waiting = false;
    boxes.forEach((element, number) => { element.box = map.boxes[number]; });

    const sx = (column) => (column * width / columns - view.x) * view.kx;
    const sy = (bytes) => (height - bytes * height / map.top - view.y) * view.ky;

    const mark = (left, top, bottom, apart) => {
      const clear = apart >= 12;
      make(labels, "path", null, { class: clear ? "k" : "k f", d: `M${left} ${top}V${bottom}` });
      if (clear && bottom - top >= 6) make(labels, "path", null, { class: "q", d: `M${left} ${(top + bottom) / 2}h0` });
    };

    const label = () => {
      labels.replaceChildren();
      for (const element of boxes) {
        const marked = {};
        for (const [name, first, until, begin, end, nbytes, over] of element.box.labels) {
          if (over && sx(first) >= 0 && sx(first) <= width && !element.classList.contains("dim")) {
            const at = `${begin} ${end}`, apart = sx(first) - (marked[at] ?? -99);
            const top = Math.max(sy(end), 0), bottom = Math.min(sy(begin), height);
            if (apart >= 3 && bottom - top >= 3) {
              marked[at] = sx(first);
              mark(sx(first), top, bottom, Math.min(apart, sx(until + 1) - sx(first)));
            }
          }
          const left = Math.max(sx(first), 0), right = Math.min(sx(until + 1), width);
          const top = Math.max(sy(end), 0), bottom = Math.min(sy(begin), height);
          const long = wide(name) + 6, across = right - left, high = bottom - top;
          const middle = (left + right) / 2, y = (top + bottom) / 2;
          const kind = element.classList.contains("dim") ? "m dim" : "m";
          if (long <= across && high >= LETTER + 2) {
            const two = high >= 2 * LETTER + 8 && wide(rounded(nbytes)) + 6 <= across;
            make(labels, "text", name, { class: kind, x: middle, y: y + (two ? -2 : 3.5) });
            if (two) make(labels, "text", rounded(nbytes), { class: `${kind} w`, x: middle, y: y + LETTER });
          } else if (long <= high && across >= LETTER + 2) {
            const at = `${middle + 3.5} ${y}`;
            make(labels, "text", name, { class: kind, x: middle + 3.5, y, transform: `rotate(-90 ${at})` });
          }
        }
      }
    };

    const scales = () => {
      below.replaceChildren();
      beside.replaceChildren();
      const column = width / columns * view.kx, base = head + height + 13;
      let every = 1, turn = 0;
      const named = column >= 13;
      while (!named && every * column < 60) { every = turn % 3 === 1 ? every * 5 / 2 : every * 2; turn++; }
      for (let n = 0; n < columns; n += every) {
        const x = sx(n + 0.5), step = map.steps[n];
        if (x < 0 || x > width) continue;
        if (named && step) {
          const at = `${x + 3} ${base - 2}`, kind = n === map.peak ? "e p" : "e";
          make(below, "text", step.label, { class: kind, x: x + 3, y: base - 2, transform: `rotate(-45 ${at})` });
        } else make(below, "text", step ? step.tick : String(n), { class: "m", x, y: base });
      }
      const span = map.top / view.ky;
      let step = 1;
      while (span / step > Math.max(2, height / 44)) step *= 2;
      const lowest = Math.max(0, (height - (view.y + height / view.ky)) * map.top / height);
      for (let bytes = Math.ceil(lowest / step) * step; bytes <= map.top; bytes += step) {
        const y = sy(bytes);
        if (y < -1) break;
        make(beside, "text", view.ky > 8 ? bytes.toLocaleString("en") : rounded(bytes, 4), { class: "e", x: -8, y: head + y + 3.5 });
      }
    };

    const draw = () => {
      waiting = false;
      const { x, y, kx, ky } = view;
      inner.setAttribute("transform", `matrix(${kx} 0 0 ${ky} ${-x * kx} ${-y * ky})`);
      bands.style.visibility = axis.style.visibility = kx === 1 && x === 0 ? "" : "hidden";
      for (const element of boxes) {
        const { first, last, size } = element.box;
        const tiny = (last - first + 1) * width / columns * kx < 3 || size * height / map.top * ky < 3;
        element.classList.toggle("t", tiny);
      }
      const still = kx === 1 && ky === 1 && !filter.value;
      inner.classList.toggle("moved", !still);
      if (still) {
        below.replaceChildren(...kept.below);
        beside.replaceChildren(...kept.beside);
        labels.replaceChildren(...kept.labels);
        return;
      }
      label();
      scales();
    };

    const show = (wanted) => {
      const kx = Math.min(Math.max(wanted.kx, 1), DEEPEST), ky = Math.min(Math.max(wanted.ky, 1), DEEPEST);
      const clamp = (value, most) => Math.min(Math.max(value, 0), most);
      view = { kx, ky, x: clamp(wanted.x, width - width / kx), y: clamp(wanted.y, height - height / ky) };
      if (!waiting) { waiting = true; requestAnimationFrame(draw); }
    };

    const zoom = (factor, px, py, axes) => {
      const kx = axes.x ? Math.min(Math.max(view.kx * factor, 1), DEEPEST) : view.kx;
      const ky = axes.y ? Math.min(Math.max(view.ky * factor, 1), DEEPEST) : view.ky;
      show({ kx, ky, x: view.x + px / view.kx - px / kx, y: view.y + py / view.ky - py / ky });
    };

    const inPlot = (event) => {
      const at = plot.querySelector(".bg").getBoundingClientRect();
      return [(event.clientX - at.left) * width / at.width, (event.clientY - at.top) * height / at.height];
    };

    plot.addEventListener("wheel", (event) => {
      event.preventDefault();
      const delta = event.deltaY || event.deltaX;
      zoom(Math.exp(-delta / 400), ...inPlot(event), { x: !event.altKey, y: !event.shiftKey });
    }, { passive: false });
    plot.addEventListener("dblclick", () => show(whole));

    let from = null, moved = false;
    plot.addEventListener("pointerdown", (event) => { from = { at: inPlot(event), view, id: event.pointerId }; moved = false; });
    plot.addEventListener("pointermove", (event) => {
      if (from) {
        const [px, py] = inPlot(event), dx = px - from.at[0], dy = py - from.at[1];
        if (!moved && Math.hypot(dx, dy) < 4) return;
        if (!moved) { moved = true; plot.setPointerCapture(from.id); }
        show({ ...from.view, x: from.view.x - dx / from.view.kx, y: from.view.y - dy / from.view.ky });
        return;
      }
      if (pinned) return;
      const over = event.target.closest(".b");
      if (over) { tell(map, over.box); return; }
      const [px] = inPlot(event);
      tellStep(map, Math.floor((view.x + px / view.kx) * columns / width));
    });
    const up = () => { from = null; };
    plot.addEventListener("pointerup", up);
    plot.addEventListener("pointercancel", up);
    plot.addEventListener("click", (event) => {
      if (moved) return;
      const over = event.target.closest(".b");
      if (pinned) pinned.classList.remove("pinned");
      pinned = over && over !== pinned ? over : null;
      if (pinned) { pinned.classList.add("pinned"); tell(map, pinned.box); }
    });

    return {
      boxes,
      redraw: draw,
      whole: () => show(whole),
      zoom: (factor) => zoom(factor, width / 2, height / 2, { x: true, y: true }),
    };
  };

  const all = panels.map((panel, number) => setUp(panel, maps[number]));

  // Tooltips of the picture itself would cover what is told aside.
  for (const title of document.querySelectorAll(".plot title")) {
    title.parentNode.setAttribute("aria-label", title.textContent);
    if (title.parentNode.classList.contains("b") || title.parentNode.classList.contains("c")) title.remove();
  }

  const search = () => {
    const word = filter.value.trim().toLowerCase();
    let found = 0, total = 0;
    for (const { boxes, redraw } of all) {
      for (const element of boxes) {
        const text = element.box.values.map((v) => `${v.name} ${v.op} ${v.line} ${v.how}`).join("\n").toLowerCase();
        const hit = !word || text.includes(word) || element.box.kind.includes(word);
        element.classList.toggle("dim", !hit);
        found += hit;
        total++;
      }
      redraw();
    }
    count.textContent = word ? `${found.toLocaleString("en")} of ${total.toLocaleString("en")}` : "";
  };
  filter.addEventListener("input", search);

  const act = { in: (p) => p.zoom(1.6), out: (p) => p.zoom(1 / 1.6), all: (p) => p.whole() };
  for (const button of document.querySelectorAll("header button")) {
    button.addEventListener("click", () => all.forEach(act[button.name]));
  }
  document.addEventListener("keydown", (event) => {
    if (event.target === filter || event.ctrlKey || event.metaKey || event.altKey) return;
    const what = { "+": "in", "=": "in", "-": "out", "0": "all" }[event.key];
    if (what) all.forEach(act[what]);
    else if (event.key === "/") { event.preventDefault(); filter.focus(); }
  });
  document.documentElement.dataset.ready = "yes";
})();
