// What the console does beyond plain pages and forms: live parts, figures as you type, and nothing else.
"use strict";

// Live parts: the server sends each part anew when something happened that changes it.
(() => {
  const parts = [...document.querySelectorAll("[data-live]")];
  if (!parts.length || !window.EventSource) return;
  const asked = new URLSearchParams([...new Set(parts.map((part) => part.dataset.live))].map((name) => ["part", name]));
  const put = (part, html) => {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    if (fresh.innerHTML === part.innerHTML) return;
    const held = part.contains(document.activeElement) ? document.activeElement.id : "";
    const open = [...part.querySelectorAll("details[open][id]")].map((each) => each.id);
    const at = [...part.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
    const ticked = [...part.querySelectorAll("input[id]:checked")].map((each) => each.id);
    part.replaceChildren(fresh.content);
    ticked.forEach((id) => { const box = document.getElementById(id); if (box) box.checked = true; });
    open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
    [...part.querySelectorAll(".scroll")].forEach((each, n) => { each.scrollLeft = at[n] || 0; });
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
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

// A table's page that comes back after a form of its own stays where it was, the button in focus.
const stays = document.querySelector("[data-stay]")?.dataset.stay;
if (stays) {
  const [top, id, at] = JSON.parse(sessionStorage.getItem(stays) || '[0, "", 0]');
  sessionStorage.removeItem(stays);
  if (Date.now() - at < 10000 && !document.querySelector("[aria-invalid=true], p.fault")) {
    const back = () => {
      document.getElementById(id)?.focus({ preventScroll: true });
      scrollTo(0, top);
    };
    back();
    addEventListener("load", () => requestAnimationFrame(back)); // the browser goes to the address's fragment between
  }
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) sessionStorage.setItem(stays, JSON.stringify([scrollY, event.submitter?.id || "", Date.now()]));
  });
}

// Sheets are printed by the browser.
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
