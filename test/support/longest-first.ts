import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, the longest first. One that began last would leave the other cores waiting for it. */
const LONGEST = [
  'simulation/lives.test.ts',
  'simulation/compared/apiserver.test.ts',
  'unit/simulator/killed.test.ts',
  'unit/plan/plan.property.test.ts',
  'simulation/interrupted.test.ts',
  'integration/site/fields.test.ts',
  'integration/certificate/rotation.test.ts',
  'e2e/permissions/permissions.test.ts',
  'e2e/sandbox.test.ts',
  'e2e/helm/empty-values.test.ts',
  'e2e/crash/delete.test.ts',
  'integration/account/hours.test.ts',
  'integration/site/management.test.ts',
  'e2e/how-tos.test.ts',
  'e2e/crash/gateway.test.ts',
  'e2e/crash/change.test.ts',
  'e2e/crash/mass-deletion.test.ts',
  'e2e/helm/ownership.test.ts',
  'e2e/prometheus/live.test.ts',
  'e2e/helm/lifecycle.test.ts',
  'e2e/tutorial.test.ts',
  'e2e/status-page.test.ts',
  'e2e/crash/create.test.ts',
  'e2e/gitops.test.ts',
  'integration/drift.test.ts',
  'integration/cli/export.test.ts',
];

/** Begins with what takes longest; the others are in the usual order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
