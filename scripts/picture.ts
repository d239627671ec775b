import { type ChildProcess, execFileSync, spawn } from 'node:child_process';

/**
 * Runs the sandbox in a terminal and writes to standard output, as SVG, what it shows once all is Ready and what kubectl
 * shows then: `node scripts/picture.ts > docs/sandbox.svg`. It needs `script` of util-linux.
 */
const COLUMNS = 100;
const colours: Readonly<Record<string, string>> = { '2': '#8b949e', '31': '#ff7b72', '32': '#7ee787', '33': '#d29922' };
const escape = String.fromCodePoint(27);
const sequence = new RegExp(`${escape}\\[(\\??[0-9;]*)([A-Za-z])`);

const terminal = spawn('script', ['-qec', `stty cols ${COLUMNS} rows 50; node dist/edgeline.mjs sandbox`, '/dev/null']);
const recorded = await until(terminal, 'Ctrl-C here ends the sandbox');
const screen = replay(recorded);
const commands = screen.map(plain).filter((line) => line.startsWith('  export '));
const question = 'kubectl get sim,mgw,scert -n edgeline-demo';
const answer = execFileSync('bash', ['-c', `${commands.join('\n')}\n${question}`], { encoding: 'utf8' });
terminal.stdin.write('\u0003');

const first = screen.findIndex((line) => plain(line).startsWith('KIND'));
const last = screen.findIndex((line) => plain(line).startsWith('All '));
process.stdout.write(
  picture(['$ npm start', ...screen.slice(first, last + 1), '', `$ ${question}`, ...answer.trimEnd().split('\n')]),
);

function until(process: ChildProcess, text: string): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    process.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes(text)) resolve(output);
    });
    process.once('exit', () => reject(new Error(`the sandbox ended: ${output}`)));
  });
}

/** The lines a terminal shows after this, colours and all: it follows moves up, and what erases. */
function replay(output: string): string[] {
  const lines: string[] = [];
  let row = 0;
  for (const line of output.split(/\r*\n/)) {
    let rest = line;
    let text = '';
    for (let found = sequence.exec(rest); found; found = sequence.exec(rest)) {
      const [whole, parameter = '', command] = found;
      text += rest.slice(0, found.index).replaceAll('\r', '');
      if (command === 'A') row = Math.max(0, row - Number(parameter));
      if (command === 'J') lines.length = Math.min(lines.length, row);
      if (command === 'm') text += whole;
      rest = rest.slice(found.index + whole.length);
    }
    lines[row++] = text + rest.replaceAll('\r', '');
  }
  return lines;
}

function plain(line: string): string {
  return line.replaceAll(new RegExp(sequence, 'g'), '');
}

function picture(lines: readonly string[]): string {
  const rows = lines.map(
    (line, index) => `<text x="16" y="${34 + index * 20}" xml:space="preserve">${spans(line)}</text>`,
  );
  const width = 32 + Math.max(...lines.map((line) => plain(line).length)) * 8.43;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${48 + lines.length * 20}" role="img">`,
    '<title>The sandbox with all its resources Ready, and what kubectl shows of them</title>',
    '<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3}</style>',
    '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
    ...rows,
    '</svg>\n',
  ].join('\n');
}

/** A line's text, its colours as spans. */
function spans(line: string): string {
  const parts = line.split(new RegExp(`${escape}\\[([0-9]*)m`));
  let colour: string | undefined;
  return parts
    .map((part, index) => {
      if (index % 2 === 1) {
        colour = colours[part];
        return '';
      }
      const text = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      return colour && text !== '' ? `<tspan fill="${colour}">${text}</tspan>` : text;
    })
    .join('');
}
