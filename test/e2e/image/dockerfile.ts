import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
  Arg,
  Cmd,
  Copy,
  DockerfileParser,
  Entrypoint,
  Env,
  From,
  type Instruction,
  type JSONInstruction,
  Label,
  Run,
  User,
  Workdir,
} from 'dockerfile-ast';

/** What an engine would know of the last stage, as far as it can be known without its base image. */
export interface Image {
  /** The directory that stands for `/`: what the stage adds to its base. */
  readonly root: string;
  readonly base: string;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
}

interface Stage {
  readonly root: string;
  readonly base: string;
  directory: string;
  readonly variables: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly environment: Record<string, string>;
  user: string;
  entrypoint: readonly string[];
  command: readonly string[];
  ports: readonly string[];
}

const run = promisify(execFile);

/**
 * Carries out the instructions of a Dockerfile in directories instead of layers: COPY copies, RUN runs, each stage begins
 * empty. A program that a base image has must be on `path`. There is no chroot, so RUN may use relative paths only.
 *
 * @throws for an instruction it does not know, and when a command fails.
 */
export async function buildImage(options: {
  /** The build context, whose `.dockerignore` must name what is let in, and keep out all else. */
  readonly context: string;
  /** An empty directory to work in. */
  readonly workspace: string;
  readonly path: string;
}): Promise<Image> {
  const { context, workspace, path } = options;
  const letIn = await allowed(context);
  const dockerfile = DockerfileParser.parse(await readFile(join(context, 'Dockerfile'), 'utf8'));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;

  async function copy(instruction: Copy, to: Stage): Promise<void> {
    const from = instruction.getFromFlag()?.getValue();
    const source = from ? stages.get(from)?.root : context;
    if (source === undefined) throw new Error(`COPY from ${from}, which is no stage`);
    const [target, ...sources] = wordsOf(instruction, to).toReversed();
    const into = join(to.root, to.directory, target ?? '');
    for (const name of sources) {
      if (!from && !letIn.has(name)) throw new Error(`.dockerignore keeps ${name} out of the build`);
      const isDirectory = !target?.endsWith('/') || (await isDirectoryAt(join(source, name)));
      const destination = isDirectory ? into : join(into, name.split('/').at(-1) ?? '');
      await mkdir(dirname(destination), { recursive: true });
      await cp(join(source, name), destination, { recursive: true });
    }
  }

  async function shell(command: string, at: Stage): Promise<void> {
    if (/(^|\s)\//.test(command)) throw new Error(`RUN with an absolute path: ${command}`);
    await run('/bin/sh', ['-ec', command], {
      cwd: join(at.root, at.directory),
      env: { ...process.env, PATH: path, ...at.environment, ...at.variables },
      maxBuffer: 1e8,
    });
  }

  for (const instruction of dockerfile.getInstructions()) {
    if (instruction instanceof From) stage = await begin(instruction);
    else if (stage) await follow(instruction, stage);
    else throw new Error(`${instruction.getKeyword()} before the first FROM`);
  }
  if (!stage) throw new Error('the Dockerfile has no FROM');
  return stage;

  async function follow(instruction: Instruction, at: Stage): Promise<void> {
    const words = wordsOf(instruction, at);
    if (instruction instanceof Copy) await copy(instruction, at);
    else if (instruction instanceof Run) await shell(instruction.getRawArgumentsContent() ?? '', at);
    else if (instruction instanceof Arg) Object.assign(at.variables, pairs(words));
    else if (instruction instanceof Env) Object.assign(at.environment, pairs(words));
    else if (instruction instanceof User) at.user = words[0] ?? '';
    else if (instruction instanceof Entrypoint) at.entrypoint = jsonOf(instruction);
    else if (instruction instanceof Cmd) at.command = jsonOf(instruction);
    else if (instruction instanceof Workdir) {
      at.directory = words[0] ?? '/';
      await mkdir(join(at.root, at.directory), { recursive: true });
    } else if (instruction instanceof Label) {
      for (const label of instruction.getProperties()) at.labels[label.getName()] = expand(label.getValue() ?? '', at);
    } else if (instruction.getKeyword() === 'EXPOSE') {
      at.ports = words;
    } else {
      throw new Error(`${instruction.getKeyword()} is not known here: say in this file what it does`);
    }
  }

  async function begin(from: From): Promise<Stage> {
    const name = from.getBuildStage() ?? 'last';
    const root = join(workspace, name);
    await mkdir(root);
    const next: Stage = {
      root,
      base: from.getImage() ?? '',
      directory: '/',
      variables: {},
      labels: {},
      environment: {},
      user: 'root',
      entrypoint: [],
      command: [],
      ports: [],
    };
    stages.set(name, next);
    return next;
  }
}

/** Every file below a directory, by path. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

/** The names a `.dockerignore` lets in: it must begin with `*` and then name exceptions only. */
async function allowed(context: string): Promise<ReadonlySet<string>> {
  const [first, ...exceptions] = (await readFile(join(context, '.dockerignore'), 'utf8')).trim().split('\n');
  if (first !== '*' || exceptions.some((line) => !line.startsWith('!'))) {
    throw new Error('.dockerignore must keep everything out (*) and then let single things in (!NAME)');
  }
  return new Set(exceptions.map((line) => line.slice(1)));
}

async function isDirectoryAt(path: string): Promise<boolean> {
  return readdir(path).then(
    () => true,
    () => false,
  );
}

function wordsOf(instruction: Instruction, stage: Stage): string[] {
  return instruction.getArguments().map((argument) => expand(argument.getValue(), stage));
}

function expand(text: string, { variables, environment }: Stage): string {
  return text.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? environment[name] ?? '');
}

function pairs(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [name = '', ...value] = word.split('=');
      return [name, value.join('=')];
    }),
  );
}

function jsonOf(instruction: JSONInstruction): string[] {
  if (!instruction.getOpeningBracket()) throw new Error(`${instruction.getKeyword()} needs a shell: write it as JSON`);
  return instruction.getJSONStrings().map((word) => word.getJSONValue());
}
