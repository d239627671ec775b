import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { lookAgain, SITE_ID, seededSite, site, siteWorld } from './support.ts';

/** Looks at the list of sites by itself only long after the test. */
let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator({ sitePollSeconds: 3600 });
});
afterAll(() => operator.stop());

describe('a site that was made again under its domain', () => {
  it('is found at once when it is asked for, and not only by the next poll', async () => {
    const world = await siteWorld();
    await world.apply(site({}));
    await world.ready('WebAccelSite', 'www');
    await world.simulator.remove('sites', SITE_ID);
    const { id } = await world.simulator.add('sites', { ...seededSite, id: '113300000399' });
    await lookAgain(world, 'WebAccelSite', 'www');
    await eventually(async () => expect((await world.get('WebAccelSite', 'www')).status?.['id']).toBe(id));
    await world.ready('WebAccelSite', 'www');
    await world.stop();
  });
});
