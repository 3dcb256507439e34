// A process, or a worker thread, with an open ring, for the tests of its life:
//   ring-child.ts SCENE [WATCHED]
// WATCHED is the process whose renames count, this one by default.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { openRecords } from './records.js';
import { renameSelf } from './rename-self.js';

const [scene = '', watched = ''] = isMainThread
  ? process.argv.slice(2)
  : (workerData as { parameters: string[] }).parameters;

function tell(message: string): void {
  if (parentPort) parentPort.postMessage(message);
  else console.log(message);
}

const object = openRecords({ watched: Number(watched) || process.pid });

switch (scene) {
  case 'exception': {
    let calls = 0;
    const order: string[] = [];
    process.on('uncaughtException', (error) => {
      order.push(`uncaught ${error.message}`);
    });
    object.ringBuffer('records', () => {
      calls++;
      order.push(`call ${String(calls)}`);
      process.nextTick(() => order.push('tick'));
      void Promise.resolve().then(() => order.push('promise'));
      setImmediate(() => {
        if (calls === 1) renameSelf();
        else {
          tell(order.join());
          object.close();
        }
      });
      throw new Error(`on purpose`);
    });
    renameSelf();
    break;
  }
  case 'fatal':
    object.ringBuffer('records', () => {
      throw new Error('thrown in the callback');
    });
    renameSelf();
    break;
  case 'alive':
    object.ringBuffer('records', () => {
      tell('record');
      object.close();
    });
    tell('ready');
    break;
  case 'unref':
    object.ringBuffer('records', () => undefined).unref();
    tell('ready');
    break;
  case 'exit':
    object.ringBuffer('records', () => {
      process.exit(5);
    });
    renameSelf();
    break;
  case 'busy':
    object.ringBuffer('records', () => {
      tell('ready');
      for (;;);
    });
    renameSelf();
    break;
  default:
    throw new Error(`no such scene: ${scene}`);
}
