/**
 * How a target answered last. `good`: in good time, and as it should. `new`: no attempt has ended yet. `failing`: in good
 * time, and otherwise. `slow`: as it should, and late; or it was good, and is late now. `hanging`: late, and not as it should.
 */
export type Standing = 'good' | 'new' | 'failing' | 'slow' | 'hanging';

/** How many attempts may be under way at once. */
export interface Bounds {
  /** Of all targets of a standing. */
  readonly ofStanding: Readonly<Record<Standing, number>>;
  /** Of one owner's targets of a standing, as a part of the former. */
  readonly partOfOwner: number;
  readonly ofTarget: number;
  /** Of all targets. It bounds those that turn slow while their attempts are under way. */
  readonly ofAll: number;
}

/**
 * The host's bounds. Each standing has a share of its own, so that targets which hang cannot take the share of those
 * which answer. The total is memory: an attempt takes some 20 kB.
 */
export const hostBounds: Bounds = {
  ofStanding: { good: 100, new: 20, failing: 10, slow: 30, hanging: 60 },
  partOfOwner: 1 / 5,
  ofTarget: 10,
  ofAll: 200,
};

/** A target of deliveries, as far as turns are concerned. */
export interface Turn {
  readonly owner: string;
  standing: Standing;
  /** How many of its attempts are under way. */
  underway: number;
  /** Whether there may be something to send to it that can begin now. */
  isWaiting: boolean;
}

/** Gives targets their turns: round robin over owners, and for each owner over the owner's targets. */
export interface Turns<T extends Turn> {
  /** The target whose turn it is; undefined: none may begin an attempt. It goes to the end of its line. */
  readonly next: () => T | undefined;
  /** Notes whether there is something to begin for a target. */
  readonly wait: (turn: T, isWaiting: boolean) => void;
  readonly begin: (turn: T) => void;
  /** Notes that an attempt has ended. */
  readonly end: (turn: T) => void;
  /** Gives a target another standing, with its attempts under way. */
  readonly stand: (turn: T, standing: Standing) => void;
  readonly underway: () => number;
}

/** The targets of one owner that have one standing; those that may begin, in the order of their turns. */
interface Group<T> {
  readonly owner: string;
  readonly ready: Set<T>;
  underway: number;
}

/** All targets of one standing. */
interface Share<T> {
  readonly groups: Map<string, Group<T>>;
  /** Those owners who may begin, in the order of their turns. */
  readonly ready: Set<Group<T>>;
  underway: number;
}

/** The order in which shares are filled: whoever answers well waits for nobody else. */
const standings: readonly Standing[] = ['good', 'new', 'failing', 'slow', 'hanging'];

export function fairTurns<T extends Turn>(bounds: Bounds = hostBounds): Turns<T> {
  const shares = new Map(
    standings.map((standing): [Standing, Share<T>] => [
      standing,
      { groups: new Map(), ready: new Set(), underway: 0 },
    ]),
  );
  let underway = 0;
  const shareOf = (turn: T): Share<T> => shares.get(turn.standing) as Share<T>;
  const groupOf = (turn: T): Group<T> => {
    const { groups } = shareOf(turn);
    const known = groups.get(turn.owner);
    if (known) return known;
    const made: Group<T> = { owner: turn.owner, ready: new Set(), underway: 0 };
    groups.set(turn.owner, made);
    return made;
  };
  /** Puts a target and its owner among those that may begin, or takes them out; a place in line is kept. */
  const settle = (turn: T): void => {
    const share = shareOf(turn);
    const group = groupOf(turn);
    put(group.ready, turn, turn.isWaiting && turn.underway < bounds.ofTarget);
    const most = Math.max(1, bounds.ofStanding[turn.standing] * bounds.partOfOwner);
    put(share.ready, group, group.ready.size > 0 && group.underway < most);
    if (group.ready.size === 0 && group.underway === 0) share.groups.delete(group.owner);
  };
  const count = (turn: T, by: number): void => {
    shareOf(turn).underway += by;
    groupOf(turn).underway += by;
  };
  return {
    next: () => {
      if (underway >= bounds.ofAll) return undefined;
      const standing = standings.find((one) => {
        const share = shares.get(one) as Share<T>;
        return share.ready.size > 0 && share.underway < bounds.ofStanding[one];
      });
      if (standing === undefined) return undefined;
      const { ready } = shares.get(standing) as Share<T>;
      const group = toEnd(ready);
      return toEnd(group.ready);
    },
    wait: (turn, isWaiting) => {
      turn.isWaiting = isWaiting;
      settle(turn);
    },
    begin: (turn) => {
      underway += 1;
      turn.underway += 1;
      count(turn, 1);
      settle(turn);
    },
    end: (turn) => {
      underway -= 1;
      turn.underway -= 1;
      count(turn, -1);
      settle(turn);
    },
    stand: (turn, standing) => {
      if (turn.standing === standing) return;
      const { isWaiting } = turn;
      count(turn, -turn.underway);
      turn.isWaiting = false;
      settle(turn);
      turn.standing = standing;
      turn.isWaiting = isWaiting;
      count(turn, turn.underway);
      settle(turn);
    },
    underway: () => underway,
  };
}

function put<T>(set: Set<T>, one: T, isIn: boolean): void {
  if (isIn) set.add(one);
  else set.delete(one);
}

/** The first of a set that is not empty, which becomes its last. */
function toEnd<T>(set: Set<T>): T {
  const [first] = set as Iterable<T> as [T];
  set.delete(first);
  set.add(first);
  return first;
}
