import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeJson, changesJson } from '../../../src/cli/changes/render.ts';
import { explanationJson, explanationOf } from '../../../src/cli/explain/report.ts';
import { kindOf } from '../../../src/cli/kinds.ts';
import { standingOf } from '../../../src/cli/standing.ts';
import { changeText, type StatusChange } from '../../../src/cli/status/changes.ts';
import { objectJson, reportJson, reportOf } from '../../../src/cli/status/report.ts';
import { planJson } from '../../../src/plan/report.ts';
import type { Plan } from '../../../src/plan/result.ts';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { change, NOW, sim, waitingStatus } from './objects.ts';

const page = readFileSync(join(packageRoot(), 'docs/reference/cli.md'), 'utf8');

/** The members that the page lists below a heading. */
function documented(heading: string): string[] {
  const chapter = page.split(`### ${heading}\n`)[1]?.split('\n### ')[0] ?? '';
  return [...chapter.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name ?? '');
}

const object = sim('truck-17', waitingStatus);
const standing = standingOf(kindOf('Sim'), object);
const presence = { state: 'Running', messages: [], unattended: [] } as const;

async function membersOf(change: StatusChange): Promise<string[]> {
  return Object.keys(JSON.parse(await changeText(change, 'json', { columns: undefined, colours: false }, NOW)));
}

const plan: Plan = {
  calls: [
    {
      resource: { kind: 'Sim', namespace: 'fleet', name: 'truck-17' },
      account: 'CloudAccount fleet/default',
      method: 'PUT',
      path: '/commonserviceitem/113300000001/sim/activate',
      route: 'PUT /commonserviceitem/:id/sim/activate',
      fields: [],
      after: 0,
      isRepeated: false,
      isUncertain: false,
    },
  ],
  unsettled: [],
  unapproved: [],
  paused: [],
  refused: [],
  undecided: [],
  notLookedAt: [],
  isComplete: true,
  resources: { named: 1, changed: 1, pruned: 0 },
};

it('the reference has each member of what is printed as JSON, and no other', async () => {
  expect(documented('Status')).toEqual(Object.keys(reportJson(reportOf(['Sim'], [standing], presence), false)));
  expect(documented('An object')).toEqual(Object.keys(objectJson(standing)));
  const printed = planJson(plan);
  expect(documented('Plan')).toEqual(Object.keys(printed));
  expect(documented('A call')).toEqual(Object.keys(printed.calls[0] ?? {}));
  const changes = await Promise.all([
    membersOf({ type: 'Changed', before: undefined, now: standing }),
    membersOf({ type: 'Operator', presence }),
  ]);
  expect(documented('StatusChange')).toEqual([...new Set(changes.flat())]);
  const explanation = explanationOf({ kind: 'Sim', object, standing, presence, references: {}, events: [] });
  expect(documented('Changes')).toEqual(
    Object.keys(changesJson({ changes: [], since: '1h', namespace: undefined, of: '' })),
  );
  expect(documented('A change')).toEqual(Object.keys(changeJson(change)));
  expect(documented('Explanation')).toEqual(Object.keys(explanationJson(explanation)));
});
