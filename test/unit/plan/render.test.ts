import { describe, expect, it } from 'vitest';
import type { PlannedCall } from '../../../src/plan/call.ts';
import { planMarkdown } from '../../../src/plan/render/markdown.ts';
import { planTable } from '../../../src/plan/render/table.ts';
import { exitCodeOf, planJson, summaryOf } from '../../../src/plan/report.ts';
import type { Plan } from '../../../src/plan/result.ts';

const screen = { columns: undefined, colours: false };

const call = (over: Partial<PlannedCall> = {}): PlannedCall => ({
  resource: { kind: 'Sim', namespace: 'fleet', name: 'truck-17' },
  account: 'CloudAccount fleet/default',
  method: 'PUT',
  path: '/commonserviceitem/113300000017/sim/ip',
  route: 'PUT /commonserviceitem/:id/sim/ip',
  fields: [{ field: 'ipAddress', before: '10.0.0.17', after: '10.0.0.18' }],
  after: 2,
  isRepeated: false,
  isUncertain: false,
  ...over,
});

const planWith = (over: Partial<Plan> = {}): Plan => ({
  calls: [],
  unsettled: [],
  unapproved: [],
  paused: [],
  refused: [],
  undecided: [],
  notLookedAt: [],
  isComplete: true,
  resources: { named: 3, changed: 1, pruned: 0 },
  ...over,
});

const full = planWith({
  calls: [
    call({
      method: 'POST',
      path: '/commonserviceitem',
      resource: { kind: 'Sim', namespace: 'fleet', name: 'truck-18' },
      fields: [{ field: 'iccid', before: undefined, after: '8981' }],
    }),
    call(),
    call({
      method: 'PUT',
      path: '/commonserviceitem/(new Sim fleet/truck-18)/sim/activate',
      resource: { kind: 'Sim', namespace: 'fleet', name: 'truck-18' },
      fields: [{ field: 'activated', before: 'false', after: 'true' }],
    }),
    call({
      resource: { kind: 'WebAccelSite', namespace: 'fleet', name: 'www' },
      path: '/site/113300000301',
      fields: [{ field: 'oneTimeURLSecret', before: '(secret)', after: undefined }],
      after: 4000,
      isUncertain: true,
    }),
  ],
  unsettled: [
    { kind: 'Sim', namespace: 'fleet', name: 'truck-19', reason: 'GatewayNotFound', message: 'There is none.' },
  ],
  unapproved: ['Sim fleet/truck-17'],
  paused: ['CloudAccount fleet/default'],
  refused: [{ source: 'a.yaml', what: 'Sim fleet/x', message: 'spec.iccid: Invalid | value' }],
  undecided: ['Two ask for the same.'],
  notLookedAt: ['Manifests of other kinds: 1 ConfigMap.'],
});

const held = (name: string) => ({
  kind: 'Sim',
  namespace: 'fleet',
  name,
  reason: 'DeletionHeld',
  message: `All are held. If not: kubectl patch sim ${name} --type merge`,
});

describe('a plan', () => {
  it('is a table for people, each resource with its calls and their fields', () => {
    expect(planTable(full, screen)).toEqual([
      'Refused:',
      '  a.yaml: Sim fleet/x: spec.iccid: Invalid | value',
      '',
      'Sim fleet/truck-18',
      '  POST   /commonserviceitem',
      '         iccid: 8981',
      '  PUT    /commonserviceitem/(new Sim fleet/truck-18)/sim/activate',
      '         activated: false → true',
      '',
      'Sim fleet/truck-17',
      '  PUT    /commonserviceitem/113300000017/sim/ip',
      '         ipAddress: 10.0.0.17 → 10.0.0.18',
      '',
      'WebAccelSite fleet/www',
      '  PUT    /site/113300000301  (only if the Secret has something else, which is not known)',
      '         oneTimeURLSecret: (secret) → unset',
      '',
      'Sent only when a person has approved it:',
      '  Sim fleet/truck-17',
      '',
      'Sent only when edgeline.dev/paused is taken off:',
      '  CloudAccount fleet/default',
      '',
      'Not in sync afterwards:',
      '  Sim fleet/truck-19: GatewayNotFound: There is none.',
      '',
      'Not decided:',
      '  Two ask for the same.',
      '',
      'Not looked at:',
      '  Manifests of other kinds: 1 ConfigMap.',
      '',
      '4 calls for 3 resources, the last about 67 minutes after everything is applied, resumed and approved, at the accounts’ limits (3 resources in the manifests).',
    ]);
  });

  it('says once what is in the way of many', () => {
    const lines = [
      'Sim fleet/bus-1: DeletionHeld: All are held. If not: kubectl patch sim bus-1 --type merge',
      'likewise 2 more: Sim fleet/bus-2, Sim fleet/bus-3',
      'Sim fleet/truck-19: GatewayNotFound: There is none.',
    ];
    const plan = planWith({ unsettled: [held('bus-1'), held('bus-2'), ...full.unsettled, held('bus-3')] });
    expect(planTable(plan, screen).map((line) => line.trim())).toEqual(expect.arrayContaining(lines));
    expect(planMarkdown(plan).split('\n')).toEqual(expect.arrayContaining(lines.map((line) => `- ${line}`)));
  });

  it('is a comment of a pull request', () => {
    expect(planMarkdown(full).split('\n')).toEqual([
      '### Edgeline plan',
      '',
      '4 calls for 3 resources, the last about 67 minutes after everything is applied, resumed and approved, at the accounts’ limits (3 resources in the manifests).',
      '',
      '| resource | call | changes |',
      '|---|---|---|',
      '| Sim fleet/truck-18 | POST /commonserviceitem | iccid: 8981 |',
      '| Sim fleet/truck-18 | PUT /commonserviceitem/(new Sim fleet/truck-18)/sim/activate | activated: false → true |',
      '| Sim fleet/truck-17 | PUT /commonserviceitem/113300000017/sim/ip | ipAddress: 10.0.0.17 → 10.0.0.18 |',
      '| WebAccelSite fleet/www | PUT /site/113300000301 | oneTimeURLSecret: (secret) → unset<br>only if the Secret has something else, which is not known |',
      '',
      '**Refused**',
      '',
      '- a.yaml: Sim fleet/x: spec.iccid: Invalid \\| value',
      '',
      '**Sent only when a person has approved it**',
      '',
      '- Sim fleet/truck-17',
      '',
      '**Sent only when edgeline.dev/paused is taken off**',
      '',
      '- CloudAccount fleet/default',
      '',
      '**Not in sync afterwards**',
      '',
      '- Sim fleet/truck-19: GatewayNotFound: There is none.',
      '',
      '**Not decided**',
      '',
      '- Two ask for the same.',
      '',
      '**Not looked at**',
      '',
      '- Manifests of other kinds: 1 ConfigMap.',
      '',
    ]);
  });

  it('fits a comment however many calls there are, and says how many it leaves out', () => {
    const name = (index: number) => ({ kind: 'Sim', namespace: 'fleet', name: `truck-${index}` });
    const calls = Array.from({ length: 2000 }, (_, index) => call({ resource: name(index) }));
    const text = planMarkdown(planWith({ calls }));
    const rows = text.split('\n').filter((line) => line.startsWith('| Sim'));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain(`… and ${2000 - rows.length} more calls`);
  });

  it('shows what takes something away, whatever else there is', () => {
    const name = (index: number) => ({ kind: 'Sim', namespace: 'fleet', name: `truck-${index}` });
    const harmless = Array.from({ length: 2000 }, (_, index) => call({ resource: name(index) }));
    const deletion = (index: number) => call({ resource: name(index), method: 'DELETE', path: '/commonserviceitem/1' });
    const noise = Array.from({ length: 50 }, (_, index) => ({
      source: `${index}.yaml`,
      what: 'Sim fleet/x',
      message: '\u202e'.repeat(300),
    }));
    const text = planMarkdown(planWith({ calls: [...harmless, deletion(2000)], refused: noise }));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('| Sim fleet/truck-2000 | DELETE /commonserviceitem/1 |');
    const all = planMarkdown(planWith({ calls: Array.from({ length: 2000 }, (_, index) => deletion(index)) }));
    expect(all).toMatch(/… and (\d+) more calls, \1 of them DELETE: /);
  });

  it('leaves out a call that is too long for a comment, and no other for it', () => {
    const value = '@x'.repeat(150);
    const fields = Array.from({ length: 60 }, (_, index) => ({
      field: `f${index}`,
      before: value,
      after: `${value}.`,
    }));
    const long = [call({ fields }), call({ fields, method: 'DELETE' })];
    const text = planMarkdown(planWith({ calls: [...long, call({ path: '/commonserviceitem/1' })] }));
    expect(text).toContain('PUT /commonserviceitem/1 |');
    expect(text).toContain('… and 2 more calls, 1 of them DELETE: ');
  });

  it('shows no value so that its end looks like a field of its own', () => {
    const fields = [{ field: 'displayName', before: 'a', after: `${'x'.repeat(20)} activated: true → false` }];
    const lines = planTable(planWith({ calls: [call({ fields })] }), { columns: 50, colours: false });
    expect(lines.filter((line) => line.startsWith('         ')).map((line) => line.search(/\S/))).toEqual([9, 11]);
  });

  it('does nothing to a terminal or a page, whatever a name or a message has in it', () => {
    const [shown] = planTable(planWith({ notLookedAt: ['\u001b[31mred'] }), screen).slice(1);
    expect(shown).toBe('  \\u{1b}[31mred');
    expect(planMarkdown(planWith({ notLookedAt: ['<script> [x](y)'] }))).toContain('\\<script\\> \\[x\\](y)');
  });

  it('is data in JSON', () => {
    expect(planJson(planWith({ calls: [call()] }))).toEqual({
      apiVersion: 'cli.edgeline.dev/v1',
      kind: 'Plan',
      complete: true,
      resources: { named: 3, changed: 1, pruned: 0 },
      seconds: 2,
      calls: [
        {
          kind: 'Sim',
          namespace: 'fleet',
          name: 'truck-17',
          account: 'CloudAccount fleet/default',
          method: 'PUT',
          path: '/commonserviceitem/113300000017/sim/ip',
          fields: [{ field: 'ipAddress', before: '10.0.0.17', after: '10.0.0.18' }],
          afterSeconds: 2,
          certain: true,
        },
      ],
      notInSync: [],
      unapproved: [],
      paused: [],
      refused: [],
      undecided: [],
      notLookedAt: [],
    });
  });

  it.each([
    ['nothing would change', planWith(), 0, 'Nothing would be written at the service (3 resources in the manifests).'],
    ['something would', planWith({ calls: [call()] }), 2, '1 call for 1 resource (3 resources in the manifests).'],
    [
      'something could not be looked at',
      planWith({ isComplete: false }),
      2,
      'Nothing that was looked at would be written at the service (3 resources in the manifests).',
    ],
    [
      'a manifest is refused',
      planWith({ refused: full.refused, resources: { named: 1, changed: 0, pruned: 2 } }),
      1,
      'Nothing would be written at the service (1 resource in the manifests, 2 to be pruned).',
    ],
    [
      'a brake holds something',
      planWith({ unsettled: [held('bus-1')] }),
      2,
      'Nothing would be written at the service before a person lets go (3 resources in the manifests).',
    ],
  ])('says it by its exit code and in a sentence where %s', (_, plan, code, sentence) => {
    expect({ code: exitCodeOf(plan), sentence: summaryOf(plan) }).toEqual({ code, sentence });
  });
});
