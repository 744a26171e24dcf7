"use strict";
// The list of cases: filters, and buttons of the confusion matrix that set them. Texts only ever become text nodes.
(() => {
  const PAGE = 50;
  const SURE = 0.9;

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const answer = (name, said, gold) => {
    const line = element("li", said === null ? "none" : said[1] === true ? "right" : said[1] === false ? "wrong" : "");
    line.append(element("span", "who", name));
    if (said === null) {
      line.append(element("span", "label", "no answer"));
      return line;
    }
    const [label, right, confidence, flickers] = said;
    line.append(element("span", "label", label));
    if (confidence !== null) line.append(element("span", "sure", (confidence * 100).toFixed(1) + "%"));
    if (right !== null) line.append(element("span", "mark", right ? "right" : "wrong"));
    if (flickers) line.append(element("span", "mark", "flickers"));
    return line;
  };

  for (const browser of document.querySelectorAll(".browser")) {
    const { candidates, cases } = JSON.parse(browser.querySelector("script").textContent);
    const list = browser.querySelector(".cases");
    const status = browser.querySelector(".count-line");
    const more = browser.querySelector(".more");
    const form = browser.querySelector("form");
    const fields = form.elements;
    let found = [];
    let shown = 0;
    let cell = null;

    const row = ([id, question, state, gold, said]) => {
      const item = element("li", "case");
      const head = element("p", "id");
      head.append(element("strong", "", id));
      if (question) head.append(element("span", "", question));
      head.append(element("span", "gold", gold ? "gold: " + gold : "no gold"));
      item.append(head);
      if (state) item.append(element("p", "state", state));
      const answers = element("ul", "answers");
      said.forEach((one, at) => answers.append(answer(candidates[at], one, gold)));
      item.append(answers);
      return item;
    };

    const keeps = (one) => {
      const [id, question, state, gold, said] = one;
      if (cell) {
        const own = said[cell.at];
        const fits = own && (cell.answer ? own[0] === cell.answer : own[0].startsWith("("));
        if (question !== cell.question || gold !== cell.gold || !fits) return false;
      }
      const words = fields.text.value.trim().toLowerCase();
      if (words && !(id + "\n" + state).toLowerCase().includes(words)) return false;
      const at = candidates.indexOf(fields.of.value);
      const of = (at < 0 ? said : [said[at]]).filter((own) => own !== null);
      switch (fields.show.value) {
        case "wrong": return of.some((own) => own[1] === false);
        case "sure": return of.some((own) => own[1] === false && own[2] !== null && own[2] >= SURE);
        case "flicker": return of.some((own) => own[3]);
        case "differ": return new Set(said.filter((own) => own !== null).map((own) => own[0])).size > 1;
        default: return true;
      }
    };

    const grow = () => {
      const next = found.slice(shown, shown + PAGE);
      list.append(...next.map(row));
      shown += next.length;
      more.hidden = shown >= found.length;
    };

    const filter = () => {
      found = cases.filter(keeps);
      shown = 0;
      list.replaceChildren();
      const only = cell ? `, gold ${cell.gold}, answered ${cell.answer || "not at all"} by ${candidates[cell.at]}` : "";
      status.textContent = `${found.length} of ${cases.length} cases${only}`;
      grow();
    };

    const reveal = () => {
      const heading = browser.querySelector("h2");
      heading.tabIndex = -1;
      heading.focus();
      heading.scrollIntoView();
    };

    // Not every browser says "input" where something is chosen from a list.
    for (const event of ["input", "change"]) form.addEventListener(event, filter);
    fields.clear.addEventListener("click", () => {
      cell = null;
      fields.show.value = "all";
      fields.of.value = "";
      fields.text.value = "";
      filter();
    });
    more.addEventListener("click", grow);
    for (const button of browser.closest("article").querySelectorAll(".confusion button")) {
      button.addEventListener("click", () => {
        const { candidate, question, gold, answer } = button.dataset;
        cell = { at: candidates.indexOf(candidate), question, gold, answer };
        fields.show.value = "all";
        fields.of.value = "";
        fields.text.value = "";
        filter();
        reveal();
      });
    }
    for (const button of browser.closest("article").querySelectorAll(".open-case")) {
      button.addEventListener("click", () => {
        cell = null;
        fields.show.value = "all";
        fields.of.value = "";
        fields.text.value = button.dataset.case;
        filter();
        reveal();
      });
    }
    filter();
  }
})();
