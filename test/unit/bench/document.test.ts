import { expect, it } from 'vitest';
import { costSection } from '../../../bench/cost.ts';

it('The results say of a Sim what its parts take, by how it was applied, and what each adds to the control plane', () => {
  const bytes = { total: 2501, managedFields: 784, status: 1235, spec: 202, annotations: 0, rest: 280 };
  const step = (sims: number, residentMB: number, liveMB: number) => ({ sims, residentMB, liveMB });
  const section = costSection({
    bytesOfSim: { create: bytes, apply: { ...bytes, total: 3077 }, 'apply --server-side': { ...bytes, total: 2474 } },
    bytesOfEvent: 1276,
    eventsPerSim: 0.07,
    controlPlane: [step(0, 361, 111), step(3000, 564, 201)],
    afterRestart: step(3000, 538, 178),
    kilobytesPerSim: { resident: 69, live: 31, residentAfterRestart: 60, liveAfterRestart: 23 },
  });
  expect(section.split('\n').filter((line) => /total|resident|Sims \||Events/.test(line))).toEqual([
    '| total | 2501 | 3077 | 2474 |',
    '| Sims | 0 | 3000 | 3000, started anew |',
    '| resident, MB | 361 | 564 | 538 |',
    'Each Sim adds 69 kB of resident memory, 31 kB of it in use; once the control plane was started anew',
    '60 and 23 kB. 0.07 Events a Sim, 1276 bytes each.',
  ]);
});
