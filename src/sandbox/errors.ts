import { EdgelineError } from '../errors.ts';

/** No control plane could be found or built, or the one found doesn't work. */
export class ControlPlaneUnavailable extends EdgelineError {
  readonly code = 'ControlPlaneUnavailable';
}

/** cert-manager could not be built, or doesn't start. */
export class CertManagerUnavailable extends EdgelineError {
  readonly code = 'CertManagerUnavailable';
}

/** A program of the sandbox could not be started. */
export class ProcessNotStarted extends EdgelineError {
  readonly code = 'ProcessNotStarted';
}

/** `kubectl` ended with an error; the message holds what it said. */
export class KubectlFailed extends EdgelineError {
  readonly code = 'KubectlFailed';
}

/** A step of the sandbox failed; the message says which, on what. */
export class SandboxFailed extends EdgelineError {
  readonly code = 'SandboxFailed';
}

/** The sandbox was asked to end: by a signal, or because nobody reads its output any more. */
export class SandboxEnded extends EdgelineError {
  readonly code = 'SandboxEnded';

  constructor(why: string) {
    super(`the sandbox ends: ${why}`, 'Start it again when you like.');
  }
}
