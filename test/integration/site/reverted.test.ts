import { expect, it } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { put, SITE_ID, site, siteWorld } from './support.ts';

const PUT = 'PUT webaccel/site/:id';

it('a change that is taken back before the next list is noticed though that list is like the one before', {
  timeout: 120_000,
}, async () => {
  const operator = await startTestOperator({ sitePollSeconds: 4 });
  const world = await siteWorld();
  await world.apply(site({}));
  await world.ready('WebAccelSite', 'www');
  await eventually(async () => expect((await world.get('WebAccelSite', 'www')).status).toHaveProperty('accessControl'));
  await world.forget();
  await world.apply(site({ displayName: 'new' }));
  const rename = put({ Name: 'new' });
  await eventually(async () => expect(await world.writes()).toEqual([rename]));
  await world.ready('WebAccelSite', 'www');
  await world.simulator.patch({ sites: { [SITE_ID]: { settings: { Name: 'www' } } } });
  await eventually(async () => expect(await world.writes()).toEqual([rename, rename]), { timeoutSeconds: 30 });
  const routes = (await world.requests()).map(({ route }) => route).filter((route) => route.includes('webaccel/site'));
  const between = routes.slice(routes.indexOf(PUT) + 1, routes.lastIndexOf(PUT));
  expect(between).toEqual(['GET webaccel/site', 'GET webaccel/site/:id']);
  await operator.stop();
  await world.stop();
});
