import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { adminKubeconfig } from '../support/control-plane.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { eventually } from '../support/kubernetes.ts';
import { program } from '../support/program.ts';
import { createWorld } from '../support/world.ts';
import { startOperatorProcess } from './crash/operator-process.ts';

/** Known to the proxy alone. */
const HOST = 'service.example.test';
const PASSWORD = 'canary-of-the-proxy';

function sim(spec: object): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck' },
    spec: { iccid: '8981040000000000017', passCodeSecretRef: { name: 'pass-codes', key: 'code' }, ...spec },
  };
}

test('an operator behind a proxy manages SIMs through it, says when the proxy refuses, and goes on afterwards', async () => {
  const world = await createWorld({ host: HOST });
  let isOpen = true;
  const proxy = await startForwardProxy({
    credentials: `edgeline:${PASSWORD}`,
    resolve: (authority) => (isOpen ? authority.replace(HOST, '127.0.0.1') : undefined),
  });
  const operator = startOperatorProcess(adminKubeconfig(), ['--namespaces', world.namespace], {
    HTTPS_PROXY: `http://edgeline:${PASSWORD}@127.0.0.1:${proxy.port}`,
    NO_PROXY: 'other.example.test',
  });
  const conditionsOf = async (kind: string, name: string) => JSON.stringify((await world.get(kind, name)).status);
  try {
    await world.apply(sim({ activated: true }));
    await eventually(async () =>
      expect(await world.get('Sim', 'truck')).toMatchObject({
        status: { activated: true, conditions: [{ type: 'Ready', status: 'True' }, {}] },
      }),
    );
    expect(proxy.asked.every((authority) => authority.startsWith(`${HOST}:`))).toBe(true);

    isOpen = false;
    proxy.cut();
    await world.apply(sim({ activated: false }));
    const refused = `the proxy 127.0.0.1:${proxy.port} does not let it through (403)`;
    await eventually(async () => expect(await conditionsOf('Sim', 'truck')).toContain(refused));
    expect(await conditionsOf('Sim', 'truck')).not.toContain(PASSWORD);

    isOpen = true;
    await eventually(async () =>
      expect(await world.get('Sim', 'truck')).toMatchObject({ status: { activated: false } }),
    );
    const creations = (await world.requests()).filter(({ route }) => route === 'POST /commonserviceitem');
    expect(creations).toHaveLength(1);
    expect(operator.log()).toContain(refused);
    expect(operator.log()).not.toContain(PASSWORD);
  } finally {
    await operator.kill();
    await world.stop();
    await proxy.close();
  }
});

test('an operator whose HTTPS_PROXY cannot be used ends with a message that says what to write', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(), 'operator'], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, HTTPS_PROXY: `socks5://me:${PASSWORD}@proxy:1080` },
  });
  expect(status).toBe(1);
  expect(stderr).toContain('HTTPS_PROXY begins with socks5://, but only http and https proxies can be used');
  expect(stderr).toContain('Write a URL such as http://proxy.example.jp:3128 into HTTPS_PROXY');
  expect(stdout + stderr).not.toContain(PASSWORD);
});
