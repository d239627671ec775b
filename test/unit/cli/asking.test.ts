import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { possibleWords } from '../../../src/cli/completion/words.ts';
import { clusterError } from '../../../src/cli/errors.ts';
import { kindOf, parseTarget, parseTargets } from '../../../src/cli/kinds.ts';
import { scopesOf } from '../../../src/cli/status/fetch.ts';
import { apiCommand } from '../../../src/commands/api.ts';
import { explainCommand } from '../../../src/commands/explain.ts';
import { exportCommand } from '../../../src/commands/export.ts';
import { gatewayCommand } from '../../../src/commands/gateway.ts';
import { invocationOf } from '../../../src/commands/invocation.ts';
import { serverCommand } from '../../../src/commands/server.ts';
import { simCommand } from '../../../src/commands/sim.ts';
import { siteCommand } from '../../../src/commands/site.ts';
import { statusCommand } from '../../../src/commands/status.ts';
import { KubeError } from '../../../src/kubernetes/errors.ts';
import { EVENTS, NAMESPACES } from '../../../src/kubernetes/resource.ts';

describe('KIND/NAME', () => {
  it.each([
    ['sim', ['Sim'], undefined],
    ['Sims', ['Sim'], undefined],
    ['sim/truck-17', ['Sim'], 'truck-17'],
    ['sims.edgeline.dev/truck-17', ['Sim'], 'truck-17'],
    ['mgw', ['MobileGateway'], undefined],
    ['gateway/depot', ['MobileGateway'], 'depot'],
    ['site/www', ['WebAccelSite'], 'www'],
    ['certificate/www', ['SiteCertificate'], 'www'],
    ['scert', ['SiteCertificate'], undefined],
    ['sims.v1alpha1.edgeline.dev', ['Sim'], undefined],
    ['account/default', ['CloudAccount', 'ClusterCloudAccount'], 'default'],
  ])('%s', (text, kinds, name) => {
    const target = parseTarget(text);
    expect({ kinds: target.kinds.map(({ kind }) => kind), name: target.name }).toEqual({ kinds, name });
  });

  it.each([
    ['smi', 'there is no kind "smi"', 'Did you mean sim?'],
    ['sim/', '"sim/" names no object', 'Write KIND or KIND/NAME'],
    ['sim/a/b', '"sim/a/b" names no object', 'Write KIND or KIND/NAME'],
    ['pods', 'there is no kind "pods"', 'Write KIND or KIND/NAME, for example sim or sim/truck-17. The kinds: '],
    ['', 'there is no kind ""', 'Write KIND or KIND/NAME'],
    ['sim,Gateway', 'there is no kind "sim,Gateway"', 'Write the kinds apart: sim gateway.'],
    ['\u001b[2J', 'there is no kind "\\u{1b}[2J"', 'Write KIND or KIND/NAME'],
    ['sim/..', '".." is not the name of an object', 'Names are lowercase letters'],
    ['sim/TRUCK-17', '"TRUCK-17" is not the name of an object', 'Names are lowercase letters'],
    ['sim/truck-17,truck-18', '"truck-17,truck-18" is not the name of an object', 'sim/truck-17 sim/truck-18'],
  ])('%s is refused, with what to write', (text, message, advice) => {
    expect(() => parseTarget(text)).toThrow(
      expect.objectContaining({ message, advice: expect.stringContaining(advice) }),
    );
  });

  it('says how to write KIND NAME, which kubectl takes', () => {
    const refused = {
      message: 'there is no kind "truck-17"',
      advice: 'If it is the name of an object, write sims/truck-17.',
    };
    expect(() => parseTargets(['sims', 'truck-17'])).toThrow(expect.objectContaining(refused));
    expect(parseTargets(['sim', 'gateway/depot']).map(({ name }) => name)).toEqual([undefined, 'depot']);
  });

  it('asks for all of a kind where both it and one of it are named', () => {
    const scopes = scopesOf(['sim/a', 'sim', 'gateway/depot', 'gateway/depot'].map(parseTarget));
    expect(scopes.map(({ kind, names }) => [kind.kind, names])).toEqual([
      ['Sim', undefined],
      ['MobileGateway', ['depot']],
    ]);
    expect(scopesOf([]).map(({ isNamed }) => isNamed)).not.toContain(true);
  });
});

describe('what a person is told of a failed request', () => {
  const attempt = {
    verb: 'list',
    resource: kindOf('Sim'),
    namespace: 'fleet',
    server: 'https://cluster.example:6443',
  } as const;
  const failed = (status: number, message = 'no') => new KubeError({ status, reason: 'Any', message });

  it.each([
    [
      'a missing permission',
      clusterError(failed(403), attempt),
      'you may not list sims.edgeline.dev in namespace fleet',
      'kubectl auth can-i list sims.edgeline.dev -n fleet',
    ],
    [
      'a missing permission everywhere',
      clusterError(failed(403), { ...attempt, namespace: undefined }),
      'you may not list sims.edgeline.dev in all namespaces',
      'kubectl auth can-i list sims.edgeline.dev -A',
    ],
    [
      'a missing permission for what the role that comes with Edgeline has',
      clusterError(failed(403), { ...attempt, resource: EVENTS }),
      'you may not list events.events.k8s.io in namespace fleet',
      'the ClusterRole edgeline-view has it',
    ],
    [
      'a missing permission for what no such role has',
      clusterError(failed(403), { ...attempt, resource: NAMESPACES, namespace: undefined }),
      'you may not list namespaces',
      'for "list" on namespaces; ',
    ],
    [
      'missing CRDs',
      clusterError(failed(404), attempt),
      'the cluster at https://cluster.example:6443 has no CustomResourceDefinition sims.edgeline.dev',
      'Install Edgeline',
    ],
    [
      'a selector that is none',
      clusterError(failed(400), { ...attempt, labelSelector: '!!!' }),
      'the selector "!!!" is not one',
      '-l team=east',
    ],
    [
      'a missing object',
      clusterError(failed(404), { ...attempt, verb: 'get', name: 'truck-17' }),
      'there is no Sim truck-17 in namespace fleet',
      'kubectl get sims -n fleet',
    ],
    [
      'credentials that are refused',
      clusterError(failed(401), attempt),
      'the Kubernetes API server https://cluster.example:6443 refused the credentials of the kubeconfig',
      'Log in again',
    ],
    [
      'an apiserver that is away',
      clusterError(failed(0, 'connect ECONNREFUSED\u001b[2J'), attempt),
      'the Kubernetes API server https://cluster.example:6443 did not answer: connect ECONNREFUSED\\u{1b}[2J',
      'kubectl cluster-info',
    ],
  ])('names %s, and what to do', (_name, error, message, advice) => {
    expect(error).toMatchObject({ message, advice: expect.stringContaining(advice) });
  });
});

describe('completion', () => {
  const program = new Command('edgeline').version('1.0.0');
  program.addCommand(statusCommand());
  program.addCommand(explainCommand());
  program.addCommand(exportCommand());
  const nested = new Command('import').description('take over');
  nested.addCommand(
    new Command('terraform')
      .argument('<directory>', 'where it is')
      .addOption(new Option('--format <format>', 'how').choices(['a', 'b']))
      .addOption(new Option('--secret-flag', 'hidden').hideHelp()),
  );
  program.addCommand(nested);
  const words = (line: string) => {
    const { choices, source } = possibleWords(program, line.split(' '));
    return { words: choices.map(({ word }) => word), source };
  };

  it('of commands, and of commands of commands', () => {
    expect(words('')).toEqual({ words: ['status', 'explain', 'export', 'import', 'help'], source: undefined });
    expect(words('import ')).toEqual({ words: ['terraform', 'help'], source: undefined });
  });

  it('of flags, without those that are hidden or already there', () => {
    expect(words('import terraform --')).toEqual({ words: ['--format', '--help'], source: undefined });
    expect(words('status -A --watch --').words).toEqual([
      '--namespace',
      '--context',
      '--kubeconfig',
      '--selector',
      '--output',
      '--all',
      '--help',
    ]);
  });

  it('of values, by their choices or by what has them', () => {
    expect(words('status -o ')).toEqual({ words: ['table', 'json', 'yaml', 'markdown'], source: undefined });
    expect(words('status -n ').source).toBe('namespace');
    expect(words('status --context ').source).toBe('context');
    expect(words('status --kubeconfig ').source).toBe('file');
    expect(words('import terraform ').source).toBe('file');
    expect(words('import terraform --format ').words).toEqual(['a', 'b']);
  });

  it('of objects, any number of them or one', () => {
    expect(words('status sim ').source).toBe('object');
    expect(words('explain ').source).toBe('object');
    expect(words('export sim ').source).toBe('exported');
    expect(words('export --out ').source).toBe('file');
    expect(words('explain sim/a ').source).toBeUndefined();
    expect(possibleWords(program, ['status', '-n', 'fleet', '--context=prod', 'sim/'])).toMatchObject({
      source: 'object',
      flags: { namespace: 'fleet', context: 'prod' },
      command: 'status',
    });
  });

  it('of what the service is asked about', () => {
    const asking = new Command('edgeline');
    for (const command of [simCommand(), gatewayCommand(), siteCommand(), serverCommand(), apiCommand()])
      asking.addCommand(command);
    const possible = (line: string) => possibleWords(asking, line.split(' '));
    expect(possible('sim logs ').source).toBe('Sim');
    expect(possible('sim logs truck-17 ').source).toBeUndefined();
    expect(possible('gateway traffic -n fleet ').source).toBe('MobileGateway');
    expect(possible('site usage ').source).toBe('WebAccelSite');
    expect(possible('sim show 113300000017 --account ').source).toBe('CloudAccount');
    expect(possible('server power 113300000301 ').choices.map(({ word }) => word)).toEqual(['on', 'off']);
    expect(possible('api ').choices.map(({ word }) => word)).toEqual(['GET', 'POST', 'PUT', 'DELETE']);
    expect(possible('api GET ')).toMatchObject({ choices: [], source: undefined });
  });
});

it.each([
  ['/usr/bin/edgeline', 'edgeline', ['status']],
  ['/home/a/.krew/bin/kubectl-edgeline', 'kubectl edgeline', ['status']],
  ['/usr/bin/kubectl_complete-edgeline', 'kubectl edgeline', ['__complete', 'status']],
  ['/app/dist/edgeline.mjs', 'edgeline', ['status']],
])('called as %s it is %s', (script, name, words) => {
  expect(invocationOf(['node', script, 'status'])).toEqual({ name, words });
});
