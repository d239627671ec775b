import { appendFileSync } from 'node:fs';
import { comparePlan } from './compare.ts';

const [from, to] = (process.argv[2] ?? '').split('-').map(Number);
const t = performance.now();
for (let seed = from ?? 1; seed <= (to ?? 1); seed++) {
  const { plan } = await comparePlan(seed);
  for (const c of plan.calls)
    if (c.fields.length === 0 && !c.route.endsWith('/config') && c.method !== 'DELETE')
      appendFileSync('/tmp/empty.log', `${seed} ${c.resource.kind} ${c.resource.name} ${c.route} ${c.path}\n`);
}
appendFileSync('/tmp/empty.log', `done ${from}-${to} ${performance.now() - t}\n`);
