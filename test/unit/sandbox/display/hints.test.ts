import { expect, it } from 'vitest';
import { hints, meanwhileHints } from '../../../../src/sandbox/display/hints.ts';

const common = {
  control: 'http://127.0.0.1:8444',
  program: { command: '/node 24/node', args: ['/clone/dist/edgeline.mjs'] },
  operatorLog: '/data/operator.log',
  statusPage: 'http://127.0.0.1:8082/',
};

it('leave out what there is nothing to try on, and quote what a shell would split', () => {
  expect(hints({ ...common, kubeconfig: "/it's here/kubeconfig", kubectl: '/a b/kubectl', sim: undefined })).toEqual([
    'Look at all of it in a browser: http://127.0.0.1:8082/',
    '',
    'What to try next, in another terminal:',
    '',
    `  export KUBECONFIG='/it'\\''s here/kubeconfig'`,
    "  export PATH='/a b':$PATH",
    '  export CONTROL=http://127.0.0.1:8444',
    `  edgeline() { '/node 24/node' /clone/dist/edgeline.mjs "$@"; }`,
    '  kubectl get edgeline -A',
    '  edgeline status -A',
    '',
    '  # what the operator does, and what else the simulator can do: faults, time, state',
    '  tail -n 20 /data/operator.log',
    '  curl -s $CONTROL',
    '',
    'docs/tutorial.md goes on from here, a quarter of an hour.',
  ]);
});

it('turn the second carrier of the Sim to what it is not', () => {
  const sim = { name: 'truck-17', iccid: '898104', secondCarrierAllowed: true };
  expect(hints({ ...common, kubeconfig: '/data/kubeconfig', kubectl: undefined, sim })).toContain(
    `  kubectl patch sim truck-17 -n edgeline-demo --type=json -p '[{"op":"replace","path":"/spec/carriers/1/allow","value":false}]'`,
  );
});

it('shows what can be tried while the control plane is built', () => {
  expect(
    meanwhileHints({ baseURL: 'https://127.0.0.1:1', control: 'http://127.0.0.1:2', ca: '/tmp/it is/ca.crt' }),
  ).toEqual([
    'Meanwhile, the simulated service can be tried, in another terminal:',
    "  curl -s --cacert '/tmp/it is/ca.crt' -u sandbox:sandbox-secret https://127.0.0.1:1/cloud/zone/is1a/api/cloud/1.1/commonserviceitem",
    '  curl -s http://127.0.0.1:2',
  ]);
});
