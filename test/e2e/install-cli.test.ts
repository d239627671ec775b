import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { readPageAt } from '../support/documents.ts';
import { ensureKrew } from '../support/go-tools.ts';
import { filledIn, openTerminal, passagesOf, promisedBy, type Terminal } from '../support/walkthrough.ts';

/** Follows docs/install-cli.md word by word, in an empty home: the archive and the manifest come from a release that is here. */
const passages = passagesOf(readPageAt('docs/install-cli.md'));
const home = mkdtempSync(join(tmpdir(), 'install-cli-'));
const release = join(home, 'release');
/** Where what is fetched comes from in place of the release's address. */
const server = createServer((request, response) => {
  const file = (request.url ?? '/').slice(1);
  const content = readFileSync(join(release, file === 'edgeline.yaml' ? file : archive));
  const origin = `http://${request.headers.host}/`;
  response.end(file === 'edgeline.yaml' ? content.toString().replace(/https:\S+\/(?=edgeline-cli)/, origin) : content);
});
const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
const archive = `edgeline-cli-${version}.tgz`;
let terminal: Terminal;
let settings: Record<string, string>;
let krew: { readonly krew: string; readonly validate: string };

const make = (directory: string) =>
  execFileSync(process.execPath, ['scripts/package.ts', directory], { cwd: packageRoot() });

beforeAll(async () => {
  krew = await ensureKrew();
  make(release);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  settings = { VERSION: version, RELEASE: `http://127.0.0.1:${port}` };
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(krew.krew, join(bin, 'kubectl-krew'));
  const npm = join(home, 'npm');
  const index = join(home, 'index');
  mkdirSync(join(index, 'plugins'), { recursive: true });
  copyFileSync(join(release, 'edgeline.yaml'), join(index, 'plugins', 'edgeline.yaml'));
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@edgeline.example', ...words], { cwd: index });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message=edgeline');
  const path = [bin, join(home, '.krew/bin'), join(npm, 'bin'), join(home, '.local/bin')];
  const env = {
    HOME: home,
    PATH: [...path, dirname(process.execPath), dirname(inject('kubectl')), process.env['PATH']].join(delimiter),
    npm_config_prefix: npm,
    npm_config_cache: join(home, 'npm-cache'),
    npm_config_update_notifier: 'false',
    // It warns of settings that this process was given.
    npm_config_loglevel: 'error',
    KREW_NO_UPGRADE_CHECK: '1',
    // Krew begins with an index, whatever it is to install.
    KREW_DEFAULT_INDEX_URI: index,
  };
  terminal = openTerminal({ env, directory: home });
});

afterAll(() => {
  terminal?.dispose();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

describe('what a release has of the commands', () => {
  it('is the same bytes whenever it is made of the same bundle', () => {
    const again = join(home, 'again');
    make(again);
    expect(readFileSync(join(again, archive)).equals(readFileSync(join(release, archive)))).toBe(true);
  });

  it('is a manifest that Krew takes, by its own rules', () => {
    const manifest = join(release, 'edgeline.yaml');
    execFileSync(krew.validate, ['-manifest', manifest, '-skip-install'], { stdio: 'pipe' });
    const [platform] = parse(readFileSync(manifest, 'utf8')).spec.platforms;
    expect(platform.uri).toBe(`https://github.com/edgeline/edgeline/releases/download/v${version}/${archive}`);
  });
});

describe('docs/install-cli.md', () => {
  it.each([...Map.groupBy(passages, ({ heading }) => heading)])('%s', async (_heading, section) => {
    for (const passage of section)
      expect(await terminal.follow(filledIn(passage, settings))).toEqual(promisedBy(passage));
  });

  it('leaves nothing behind', async () => {
    expect((await terminal.paste('command -v edgeline kubectl-edgeline')).output).toBe('');
  });
});
