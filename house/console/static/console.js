// What the console does beyond plain pages and forms: live parts, figures as you type, and nothing else.
"use strict";

// Focus the first of some elements that takes it: itself, the summary that hides it, or the first thing to use in it.
const focusFirst = (elements) => {
  const used = "summary, a[href], button:enabled, input:not([type=hidden]), select, textarea, [tabindex]";
  for (const each of elements.filter(Boolean)) {
    const hidden = each.closest("details:not([open])")?.querySelector("summary");
    const within = /^H\d$/.test(each.tagName) ? each.closest("section") : each;
    for (const one of [hidden, each, within.querySelector(used)]) {
      one?.focus({ preventScroll: true });
      if (one && document.activeElement === one) return;
    }
  }
};

// On a felt Tab goes from panel to panel, arrows go from spot to spot as they lie.
const rove = (() => {
  const stops = new Map();
  const stop = (spot) => {
    const panel = spot.closest("section");
    panel.querySelectorAll("button").forEach((each) => { each.tabIndex = each === spot ? 0 : -1; });
    stops.set(panel.className, spot.id);
  };
  const move = (spot, side) => {
    const from = spot.getBoundingClientRect();
    const upright = side === "top" || side === "bottom";
    const off = (box) => upright ? box.left + box.right - from.left - from.right : box.top + box.bottom - from.top - from.bottom;
    const ways = [...document.querySelectorAll(".felt button:enabled")].map((each) => {
      const to = each.getBoundingClientRect();
      const gap = { left: from.left - to.right, right: to.left - from.right, top: from.top - to.bottom, bottom: to.top - from.bottom };
      const aside = Math.max(0, ...(upright ? [gap.left, gap.right] : [gap.top, gap.bottom]));
      return [to.width ? gap[side] : -9, gap[side] + 3 * aside + Math.abs(off(to)) / 20, each];
    }).filter(([gap, , each]) => gap > -4 && each !== spot);
    ways.sort((one, other) => one[1] - other[1])[0]?.[2].focus();
  };
  const arrows = { ArrowRight: "right", ArrowLeft: "left", ArrowDown: "bottom", ArrowUp: "top" };
  document.addEventListener("focusin", (event) => { if (event.target.matches(".felt button")) stop(event.target); });
  document.addEventListener("keydown", (event) => {
    if (!arrows[event.key] || !event.target.matches(".felt button")) return;
    event.preventDefault();
    move(event.target, arrows[event.key]);
  });
  return (within) => within.querySelectorAll(".felt-panel").forEach((panel) => {
    const open = [...panel.querySelectorAll("button:enabled")];
    const spot = open.find((each) => each.id === stops.get(panel.className)) || open[0];
    if (spot) stop(spot);
  });
})();
rove(document);

// Live parts: the server sends each part anew when something happened that changes it.
(() => {
  const parts = [...document.querySelectorAll("[data-live]")];
  if (!parts.length || !window.EventSource) return;
  const asked = new URLSearchParams([...new Set(parts.map((part) => part.dataset.live))].map((name) => ["part", name]));
  const put = (part, html) => {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    if (fresh.innerHTML === part.innerHTML) return;
    const held = part.contains(document.activeElement) ? document.activeElement.id || "none" : "";
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    const at = [...part.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
    const ticked = [...part.querySelectorAll("input[id]:checked")].map((each) => each.id);
    part.replaceChildren(fresh.content);
    ticked.forEach((id) => { const box = document.getElementById(id); if (box) box.checked = true; });
    open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    [...part.querySelectorAll(".scroll")].forEach((each, n) => { each.scrollLeft = at[n] || 0; });
    rove(part);
    if (held) focusFirst([document.getElementById(held), ...part.querySelectorAll("[tabindex]"), part]);
  };
  let source;
  const listen = (has) => {
    source = new EventSource(`/live?${asked}&${new URLSearchParams(has)}`);
    for (const name of asked.getAll("part")) {
      source.addEventListener(name, (event) => parts.filter((part) => part.dataset.live === name).forEach((part) => put(part, event.data)));
    }
    source.addEventListener("open", () => document.documentElement.classList.remove("stale"));
    source.addEventListener("error", () => document.documentElement.classList.add("stale"));
  };
  listen(parts.map((part) => ["has", part.dataset.has])); // what the page has is not sent again
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => { if (event.persisted) listen([]); });
})();

// Figures as you type: the form goes to its figures' address 120 ms after the last keystroke.
for (const form of document.querySelectorAll("form[data-figures]")) {
  const into = document.getElementById(form.dataset.into);
  let wait, under;
  form.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(async () => {
      under?.abort();
      under = new AbortController();
      into.setAttribute("aria-busy", "true");
      try {
        const answer = await fetch(form.dataset.figures, { method: "POST", body: new FormData(form), signal: under.signal });
        if (answer.ok || answer.status === 422) into.innerHTML = await answer.text();
        into.removeAttribute("aria-busy");
      } catch (error) {
        if (error.name !== "AbortError") into.removeAttribute("aria-busy");
      }
    }, 120);
  });
}

// A file that is larger than the house reads is not sent: its field says so, and keeps all else as it was typed.
document.addEventListener("submit", (event) => {
  for (const input of event.target.querySelectorAll("input[type=file][data-most]")) {
    const file = input.files[0];
    if (!file || file.size <= input.dataset.most * 2 ** 20) continue;
    const said = Object.assign(document.createElement("span"), { className: "fault" });
    said.setAttribute("role", "alert");
    said.textContent = `${file.name} has ${(file.size / 2 ** 20).toFixed(1)} MiB: the house reads at most ${input.dataset.most}. Choose a smaller one.`;
    document.getElementById(input.getAttribute("aria-describedby")).replaceChildren(said);
    input.setAttribute("aria-invalid", "true");
    input.focus();
    event.preventDefault();
    event.stopImmediatePropagation();
  }
});

// A form goes once: a second tap on its button does nothing (the house would answer it as the first).
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) return event.preventDefault();
  event.target.dataset.sent = "yes";
  setTimeout(() => delete event.target.dataset.sent, 3000);
});

// A table's page that comes back after a form or a choice of its own stays where it was; who works by keyboard goes on there.
const stays = document.querySelector("[data-stay]")?.dataset.stay;
if (stays) {
  const [top, ids, at] = JSON.parse(sessionStorage.getItem(stays) || '[0, [], 0]');
  sessionStorage.removeItem(stays);
  if (Date.now() - at < 10000 && !document.querySelector("[aria-invalid=true], .fault")) {
    const back = () => {
      focusFirst(ids.map((id) => document.getElementById(id)));
      scrollTo(0, top);
      if (document.activeElement !== document.body) document.activeElement.scrollIntoView({ block: "nearest" });
    };
    back();
    addEventListener("load", () => requestAnimationFrame(back)); // the browser goes to the address's fragment between
  }
  const keep = (form, ...from) => {
    const near = form?.closest("section")?.getAttribute("aria-labelledby");
    sessionStorage.setItem(stays, JSON.stringify([scrollY, [...from, form?.id, near].filter(Boolean), Date.now()]));
  };
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) keep(event.target, document.activeElement?.id, event.submitter?.id);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-stay] a[id]");
    if (link?.pathname === location.pathname) keep(link, link.id);
  });
}

// Sheets are printed by the browser; what only a script does is told only where there is one.
for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());
for (const each of document.querySelectorAll("[data-print], [data-scripted]")) each.hidden = false;
