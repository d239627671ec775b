import { messageOf } from './errors.ts';

/** What a person is told of a file that a command was given and cannot read, without the words of system calls. Pure. */
export function whyUnreadable(path: string, error: unknown): { readonly message: string; readonly advice: string } {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { message: `there is no file ${path}`, advice: 'Check the path, and the directory that you are in.' };
    case 'EISDIR':
      return { message: `${path} is a directory`, advice: 'Give the path of a file.' };
    case 'EACCES':
    case 'EPERM':
      return { message: `${path} may not be read`, advice: 'Check its permissions, and those of its directory.' };
    default:
      return { message: `${path} cannot be read: ${messageOf(error)}`, advice: 'Check the path and its permissions.' };
  }
}

/** The code of an error of the system, such as ENOENT. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
