import { setFlagsFromString } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { harmless } from './cli/text/harmless.ts';
import { endProcess, endWithReader, stayAlive } from './commands/end.ts';
import { COMPLETE, invocationOf } from './commands/invocation.ts';
import { EdgelineError } from './errors.ts';
import { version } from './version.ts';

/** The exit code when a command line is not understood, as of a shell's own commands. */
const EXIT_MISUSED = 2;
/** As a shell has it of a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;
/** The commands whose exit code says what they found, and those that stand beside them in scripts: 1 says all else. */
const reporting = new Set([
  'status',
  'approve',
  'explain',
  'plan',
  'changes',
  'support-bundle',
  'sim',
  'gateway',
  'site',
  'server',
  'api',
]);
/** The commands that go on although nobody reads what they print. */
const working = new Set(['operator', 'simulator', 'sandbox', 'control-plane', 'import', 'export', 'support-bundle']);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `edgeline needs Node 22.19 or newer, this is ${process.versions.node}. Inside a clone, npx edgeline and the npm scripts use one of their own.`,
  );
  process.exit(1);
}

/** Each command is loaded only when it is the one: the operator should not carry the simulator in its memory. */
const commands: Record<string, () => Promise<Command>> = {
  status: async () => (await import('./commands/status.ts')).statusCommand(),
  plan: async () => (await import('./commands/plan.ts')).planCommand(),
  explain: async () => (await import('./commands/explain.ts')).explainCommand(),
  changes: async () => (await import('./commands/changes.ts')).changesCommand(),
  approve: async () => (await import('./commands/approve.ts')).approveCommand(),
  sim: async () => (await import('./commands/sim.ts')).simCommand(),
  gateway: async () => (await import('./commands/gateway.ts')).gatewayCommand(),
  site: async () => (await import('./commands/site.ts')).siteCommand(),
  server: async () => (await import('./commands/server.ts')).serverCommand(),
  account: async () => (await import('./commands/account.ts')).accountCommand(),
  api: async () => (await import('./commands/api.ts')).apiCommand(),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  import: async () => (await import('./commands/import.ts')).importCommand(),
  'support-bundle': async () => (await import('./commands/support-bundle.ts')).supportBundleCommand(),
  completion: async () => (await import('./commands/completion.ts')).completionCommand(),
  operator: async () => (await import('./commands/operator.ts')).operatorCommand(),
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommand(),
  simulator: async () => (await import('./commands/simulator.ts')).simulatorCommand(),
  'control-plane': async () => (await import('./commands/control-plane.ts')).controlPlaneCommand(),
};

/** Under which headings `--help` shows them, in this order. */
const groups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['See and approve:', ['status', 'plan', 'explain', 'changes', 'approve']],
  ['Ask the service, through an account:', ['sim', 'gateway', 'site', 'server', 'account', 'api']],
  ['Take over what there is:', ['export', 'import']],
  ['When something is wrong, and for the shell:', ['support-bundle', 'completion']],
  ['Programs:', ['operator', 'sandbox', 'simulator', 'control-plane']],
];

const { name, words } = invocationOf(process.argv);
const asked = words[0] ?? '';

if (asked === 'operator') {
  // A heap that stays small: two fifths of the memory for a few per cent of CPU. Set here, so that it holds however the
  // operator is started. With less room to grow, a tenth of the CPU more would go into collecting garbage.
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
}

if (!working.has(asked) || words.some((word) => word === '--help' || word === '-h' || word === 'help')) endWithReader();

const program = new Command(name)
  .description('SIMs, mobile gateways, web-acceleration sites and their certificates as Kubernetes resources')
  .version(version);
const chosen = Object.hasOwn(commands, asked) ? [asked] : Object.keys(commands);
for (const name of chosen) {
  const command = await commands[name]?.();
  const [heading = ''] = groups.find(([, names]) => names.includes(name)) ?? [];
  if (command) program.addCommand(command.exitOverride().helpGroup(heading));
}
program.exitOverride();

const release = stayAlive();
try {
  if (asked === COMPLETE) await (await import('./commands/completion.ts')).printCompletion(program, words.slice(1));
  else {
    const { unknownTopic } = await import('./commands/misuse.ts');
    const topic = unknownTopic(program, words);
    if (topic !== undefined) program.error(`error: unknown command '${topic}'`, { code: 'commander.unknownCommand' });
    // By itself `help` takes one word, and what is asked about may be a command's command.
    const isAbout = asked === 'help' && words.length > 1;
    await program.parseAsync(isAbout ? [...words.slice(1), '--help'] : words, { from: 'user' });
  }
} catch (error) {
  if (error instanceof CommanderError) {
    // Help was asked for, or what was asked was not understood.
    const isMisused = error.exitCode !== 0 && error.code !== 'commander.help';
    if (isMisused) console.error((await import('./commands/misuse.ts')).hintFor(program, words, error));
    endProcess(error.exitCode === 0 ? 0 : codeOfMisuse());
  } else if (error instanceof EdgelineError) {
    const { adviceAtTerminal } = await import('./cli/service/errors.ts');
    // Files, objects and answers that others have made are named in it.
    console.error(`error: ${harmless(error.message)}\n${harmless(adviceAtTerminal(error))}`);
    endProcess(codeOf(error));
  } else throw error;
} finally {
  release();
}

function codeOf({ code }: EdgelineError): number {
  if (code === 'Usage') return codeOfMisuse();
  return code === 'Interrupted' ? EXIT_INTERRUPTED : 1;
}

/** The same for what is no flag and for what cannot be meant, whoever finds that out. */
function codeOfMisuse(): number {
  return reporting.has(asked) ? 1 : EXIT_MISUSED;
}
