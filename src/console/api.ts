import { answer } from './answers.ts';
import { complete, hovered } from './assisting.ts';
import type { Context, Given } from './context.ts';
import { differences } from './differences.ts';
import { operationDetail } from './operations.ts';
import { overview } from './overview.ts';
import { pointsAt } from './points.ts';
import { recordedRequest, recordedRequests } from './recorded.ts';
import { resend } from './resend.ts';
import { send } from './send.ts';
import { eventDetail, eventPage, redeliver } from './stored/events.ts';
import { itemDetail } from './stored/item.ts';
import { itemPage, resourceList } from './stored/items.ts';
import { machineView } from './stored/machines.ts';
import { passTime, timeView } from './stored/time.ts';
import {
  beginTest,
  causeDetail,
  endTest,
  replayCause,
  statementDetail,
  statementList,
  testView,
} from './testing/verdicts.ts';
import { check, markOpen, rename, renameable, save, texts } from './texts.ts';

type Answering = (given: Given, context: Context) => unknown;

/** What the page reads, by path: GET, and nothing is changed. */
export const queries: Readonly<Record<string, Answering>> = {
  '/api/overview': overview,
  '/api/points': pointsAt,
  '/api/operation': operationDetail,
  '/api/differences': differences,
  '/api/texts': texts,
  '/api/requests': recordedRequests,
  '/api/request': recordedRequest,
  '/api/machine': machineView,
  '/api/resources': resourceList,
  '/api/items': itemPage,
  '/api/item': itemDetail,
  '/api/events': eventPage,
  '/api/event': eventDetail,
  '/api/time': timeView,
  '/api/test': testView,
  '/api/cause': causeDetail,
  '/api/statements': statementList,
  '/api/statement': statementDetail,
};

/** What the page does, by path: POST. */
export const actions: Readonly<Record<string, Answering>> = {
  '/api/answer': answer,
  '/api/check': check,
  '/api/complete': complete,
  '/api/hover': hovered,
  '/api/renameable': renameable,
  '/api/rename': rename,
  '/api/mark-open': markOpen,
  '/api/save': save,
  '/api/send': send,
  '/api/resend': resend,
  '/api/redeliver': redeliver,
  '/api/pass': passTime,
  '/api/begin-test': beginTest,
  '/api/end-test': endTest,
  '/api/replay': replayCause,
};
