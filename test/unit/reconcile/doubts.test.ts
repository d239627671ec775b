import { expect, test } from 'vitest';
import { createDoubts } from '../../../src/reconcile/doubts.ts';

test('who waits hears of its own resource, until it no longer waits', () => {
  const doubts = createDoubts();
  const heard: string[] = [];
  const stop = ['a', 'b'].map((name) => doubts.on('Sim/fleet/one')(() => heard.push(name)));
  doubts.on('Sim/fleet/other')(() => heard.push('other'));
  doubts.tell('Sim/fleet/one');
  stop[0]?.();
  doubts.tell('Sim/fleet/one');
  stop[1]?.();
  doubts.tell('Sim/fleet/one');
  expect(heard).toEqual(['a', 'b', 'b']);
});

test('who is told may end its waiting, or begin another', () => {
  const doubts = createDoubts();
  let times = 0;
  const listen = () => {
    const stop = doubts.on('Sim/fleet/one')(() => {
      times++;
      stop();
      if (times < 10) listen();
    });
  };
  listen();
  doubts.tell('Sim/fleet/one');
  doubts.tell('Sim/fleet/one');
  expect(times).toBe(2);
});
