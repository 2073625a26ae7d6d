"use strict";
// Runs inside the browser: puts each picture into the page, measures it, uses it, and writes what it saw as JSON.
(async () => {
  const given = JSON.parse(document.getElementById("given").textContent);
  // Nothing is shown, so frames may never come; timers do.
  const soon = () => new Promise((done) => setTimeout(done, 10));
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const panels = (root) => [...root.querySelectorAll(".panel")].map((panel) => ({
    plot: box(panel.querySelector(".bg")),
    boxes: [...panel.querySelectorAll(".b")].map((group) => box(group.querySelector(".r"))),
    told: [...panel.querySelectorAll(".b")].map((group) =>
      group.querySelector("title")?.textContent ?? group.getAttribute("aria-label")),
    labels: [...panel.querySelectorAll(".l text")].map((text) => [text.textContent, ...box(text)]),
    lines: [".arena", ".bound", ".peak", ".live"].map((name) => panel.querySelector(name) && box(panel.querySelector(name))),
  }));

  const used = async (page) => {
    const make = (name, more) => new page.defaultView[name[0]](name[1], { bubbles: true, cancelable: true, ...more });
    const plot = page.querySelector(".plot"), first = page.querySelector(".b"), inner = page.querySelector(".z");
    const aside = page.querySelector("aside"), filter = page.querySelector("input");
    const result = { ready: page.documentElement.dataset.ready };
    if (!first) return result;
    const [left, top, right, bottom] = box(first.querySelector(".r"));
    const at = { clientX: (left + right) / 2, clientY: (top + bottom) / 2 };
    first.dispatchEvent(make(["PointerEvent", "pointermove"], at));
    result.aside = aside.textContent;
    plot.dispatchEvent(make(["WheelEvent", "wheel"], { ...at, deltaY: -400 }));
    await soon();
    result.zoomed = inner.getAttribute("transform");
    result.grown = (box(first.querySelector(".r"))[2] - box(first.querySelector(".r"))[0]) / (right - left);
    result.ticks = page.querySelectorAll(".xl text").length;
    plot.dispatchEvent(make(["MouseEvent", "dblclick"], at));
    await soon();
    result.back = box(first.querySelector(".r")).every((value, n) => Math.abs(value - [left, top, right, bottom][n]) < 0.01);
    filter.value = aside.querySelector("h2").textContent.split(" values")[0].trim();
    filter.dispatchEvent(make(["Event", "input"]));
    await soon();
    result.count = page.querySelector(".count").textContent;
    result.dim = page.querySelectorAll(".b.dim").length;
    return result;
  };

  const seen = [];
  for (const { kind, text } of given) {
    if (kind === "svg") {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const wrong = parsed.querySelector("parsererror");
      if (wrong) { seen.push({ wrong: wrong.textContent }); continue; }
      const root = document.body.appendChild(document.importNode(parsed.documentElement, true));
      seen.push({ root: box(root), panels: panels(root) });
      root.remove();
    } else {
      const frame = document.createElement("iframe");
      frame.style = "width:1680px;height:980px;border:0";
      const loaded = new Promise((done) => { frame.onload = done; });
      frame.srcdoc = text;
      document.body.append(frame);
      await loaded;
      frame.contentWindow.requestAnimationFrame = (draw) => setTimeout(draw, 0);
      const page = frame.contentDocument;
      seen.push({ root: box(page.querySelector(".picture svg")), panels: panels(page), used: await used(page) });
      frame.remove();
    }
  }
  document.body.replaceChildren();
  const told = document.body.appendChild(document.createElement("pre"));
  told.id = "seen";
  told.textContent = JSON.stringify(seen);
})();
