import { MAX_SESSION_ID_LENGTH } from '@copilot/contracts';
import { Param, type PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { unprocessable } from '../errors/api-error';
import { shortened } from './violations';

class SessionIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    // Postgres refuses them with an error of its own.
    if (value.includes('\0') || !value.isWellFormed()) {
      throw unprocessable(`session_id must be valid Unicode without NUL, got ${shortened(value)}`);
    }
    return value;
  }
}

/** A session's id in the path: any text of the client's own. */
export const SessionParam = () => Param('session_id', new SessionIdPipe());

export const ApiSessionParam = () =>
  ApiParam({
    name: 'session_id',
    schema: { type: 'string', maxLength: MAX_SESSION_ID_LENGTH },
    description: "The client's own id of the session",
  });
