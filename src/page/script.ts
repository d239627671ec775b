/** Seconds between two looks of a page that is open. */
export const REFRESH_SECONDS = 10;

/**
 * What the page does by itself, where a browser lets it: it looks again, and copies commands. Everything else works without.
 * It leaves alone what somebody is at: the search is outside of what is replaced, focus and scroll stay, and nothing is
 * replaced while text is selected or the page is not looked at.
 */
export const SCRIPT = `
'use strict';
(() => {
  const main = document.querySelector('main');
  const tools = document.querySelector('#tools');
  const notice = document.querySelector('#stale');
  let paused = false;
  let refreshed = new Date();
  let busy = false;
  const clock = (time) => time.toISOString().slice(11, 19) + ' UTC';

  function button(text, key, action) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = text;
    made.dataset.key = key;
    made.addEventListener('click', () => action(made));
    return made;
  }

  function copy(made, code) {
    const done = () => { made.textContent = 'Copied'; };
    const select = () => getSelection().selectAllChildren(code);
    if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, select);
    else select();
  }

  function enhance() {
    for (const code of main.querySelectorAll('code.command')) {
      const made = button('Copy', 'copy ' + code.textContent, (self) => copy(self, code));
      made.setAttribute('aria-label', 'Copy ' + code.textContent);
      code.after(made);
    }
  }

  const keyOf = (element) => element && main.contains(element) &&
    (element.id || element.dataset.key || element.getAttribute('href'));
  const elementOf = (key) => [...main.querySelectorAll('a,button,summary,[tabindex],[id]')].find((one) => keyOf(one) === key);

  function isBusy() {
    const selection = getSelection();
    return document.hidden || paused || busy || (selection && !selection.isCollapsed);
  }

  async function refresh() {
    if (isBusy()) return;
    busy = true;
    try {
      const answer = await fetch(location.href, { cache: 'no-store', credentials: 'same-origin', redirect: 'error' });
      const text = await answer.text();
      if (!(answer.headers.get('content-type') || '').startsWith('text/html')) throw new Error(answer.statusText);
      const next = new DOMParser().parseFromString(text, 'text/html');
      const fresh = next.querySelector('main');
      if (!fresh || !next.querySelector('meta[name="edgeline-page"]')) throw new Error('another page');
      if (document.hidden || paused) return;
      const key = keyOf(document.activeElement);
      const open = new Set([...main.querySelectorAll('details[open]')].map((one) => one.id));
      const scroll = [scrollX, scrollY];
      main.replaceChildren(...fresh.childNodes);
      document.title = next.title;
      for (const one of main.querySelectorAll('details')) if (open.has(one.id)) one.open = true;
      enhance();
      if (key) elementOf(key)?.focus({ preventScroll: true });
      scrollTo(...scroll);
      refreshed = new Date();
      notice.textContent = '';
    } catch {
      const told = 'Not refreshed since ' + clock(refreshed) + ': the operator does not answer. What is shown is as old.';
      if (notice.textContent !== told) notice.textContent = told;
    } finally {
      busy = false;
    }
  }

  const pause = button('Pause refreshing', 'pause', (self) => {
    paused = !paused;
    self.textContent = paused ? 'Refresh again' : 'Pause refreshing';
    if (!paused) refresh();
  });
  tools.append(pause);
  enhance();
  setInterval(refresh, ${REFRESH_SECONDS * 1000});
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && Date.now() - refreshed > ${REFRESH_SECONDS * 1000}) refresh();
  });
})();
`;
