import { parseArgs } from 'node:util';
import { type Comparison, comparePlans, linesOf } from './compare.ts';

/**
 * Plans, applies and compares for many seeds, so many times in the cluster of each; prints where what was sent is not what
 * was planned.
 */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1-100' }, each: { type: 'string', default: '1' } },
});
const [from = 1, to = from] = values.seeds.split('-').map(Number);
const each = Number(values.each);
const counts = { same: 0, otherOrder: 0, different: 0, undecided: 0, undecidedButSame: 0, calls: 0, empty: 0 };
for (let seed = from; seed <= to; seed++) {
  let time = 0;
  for await (const comparison of comparePlans(seed)) {
    count(`seed ${seed}, time ${++time}`, comparison);
    if (time === each) break;
  }
  if (seed % 100 === 0) console.error(`up to seed ${seed}: ${JSON.stringify(counts)}`);
}
console.log(JSON.stringify(counts));
process.exitCode = counts.different === 0 ? 0 : 1;

function count(what: string, { planned: expected, sent, others, isUndecided }: Comparison): void {
  const [planned, made] = [linesOf(expected), linesOf(sent)];
  counts.calls += made.length;
  if (made.length === 0) counts.empty++;
  const isSame = planned.join('\n') === made.join('\n') && others.length === 0;
  const isOtherOrder = planned.toSorted().join('\n') === made.toSorted().join('\n') && others.length === 0;
  if (isUndecided) {
    counts.undecided++;
    if (isOtherOrder) counts.undecidedButSame++;
    return;
  }
  if (isSame) counts.same++;
  else if (isOtherOrder) counts.otherOrder++;
  else counts.different++;
  if (isOtherOrder) return;
  console.log(what);
  for (const line of planned) if (!made.includes(line)) console.log(`  planned only: ${line}`);
  for (const line of made) if (!planned.includes(line)) console.log(`  sent only:    ${line}`);
  for (const line of others) console.log(`  of others:    ${line}`);
}
