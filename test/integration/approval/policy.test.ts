import { afterAll, describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runKubectl } from '../../../src/sandbox/control-plane/kubectl.ts';
import { adminKubeconfig } from '../../support/control-plane.ts';
import { readPages } from '../../support/documents.ts';
import { eventually } from '../../support/kubernetes.ts';

const NAMESPACE = 'approval-policy';
const APPROVE = 'edgeline.dev/approve';

/** The policy of docs/approval.md, as it stands there. */
const policies = readPages()
  .filter(({ path }) => path === 'docs/approval.md')
  .flatMap(({ blocks }) => blocks)
  .filter(({ language, text }) => language === 'yaml' && text.includes('ValidatingAdmissionPolicy'))
  .map(({ text }) => text)
  .join('\n---\n');

function kubectl(args: readonly string[], input = '', group?: string) {
  const as = group === undefined ? [] : ['--as=somebody', '--as-group=system:masters', `--as-group=${group}`];
  return runKubectl({ kubectl: inject('kubectl'), kubeconfig: adminKubeconfig() }, [...args, ...as], { input });
}
const annotate = (value: string, group: string) =>
  kubectl(['annotate', '-n', NAMESPACE, '--overwrite', 'sim', 'truck-17', value], '', group);
const sim = (annotations: object) =>
  JSON.stringify({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17', namespace: NAMESPACE, annotations },
    spec: { iccid: '8981040000000000017', managementPolicy: 'Approve' },
  });

afterAll(async () => {
  await kubectl(['delete', '-f', '-'], policies);
  await kubectl(['delete', 'namespace', NAMESPACE, '--wait=false']);
});

describe('the policy of docs/approval.md', () => {
  it('lets only the group approve, and everybody edit, label and take back', async () => {
    expect(parseAllDocuments(policies)).toHaveLength(2);
    await kubectl(['create', 'namespace', NAMESPACE]);
    expect(await kubectl(['apply', '-f', '-'], policies)).toMatchObject({ code: 0 });
    // The apiserver takes a policy up after a moment.
    await eventually(async () => {
      const tried = await kubectl(['apply', '--dry-run=server', '-f', '-'], sim({ [APPROVE]: 'x' }), 'drivers');
      expect(tried).toMatchObject({ code: 1 });
    });
    const refused = {
      code: 1,
      stderr: expect.stringContaining('only the group fleet-approvers may set edgeline.dev/approve'),
    };
    expect(await kubectl(['create', '-f', '-'], sim({ [APPROVE]: 'x' }), 'drivers')).toMatchObject(refused);
    expect(await kubectl(['create', '-f', '-'], sim({}), 'drivers')).toMatchObject({ code: 0 });
    expect(await annotate(`${APPROVE}=0123456789abcdef`, 'drivers')).toMatchObject(refused);
    expect(await annotate(`${APPROVE}=0123456789abcdef`, 'fleet-approvers')).toMatchObject({ code: 0 });
    expect(await annotate('team=east', 'drivers')).toMatchObject({ code: 0 });
    expect(await annotate(`${APPROVE}=fedcba9876543210`, 'drivers')).toMatchObject(refused);
    expect(await annotate(`${APPROVE}-`, 'drivers')).toMatchObject({ code: 0 });
  });
});
