/**
 * The tables and functions by which PostgreSQL counts, as `redis-script.ts` has Redis count. What is counted need not
 * outlast a crash of the server's. Times are in microseconds, of the server's clock, or as `given`.
 */
export const layout = `
CREATE UNLOGGED TABLE IF NOT EXISTS tacet_counted (
  name text COLLATE "C" PRIMARY KEY, used float8 NOT NULL DEFAULT 0, at float8 NOT NULL DEFAULT 0,
  times float8[] NOT NULL DEFAULT '{}', until float8 NOT NULL DEFAULT 'infinity');
CREATE INDEX IF NOT EXISTS tacet_counted_until ON tacet_counted (until);
CREATE UNLOGGED TABLE IF NOT EXISTS tacet_running (
  name text COLLATE "C", id uuid, until float8 NOT NULL, PRIMARY KEY (name, id));

CREATE OR REPLACE FUNCTION tacet_micros() RETURNS float8 LANGUAGE sql VOLATILE AS
$$ SELECT floor(extract(epoch FROM clock_timestamp())::float8 * 1000000) $$;

CREATE OR REPLACE FUNCTION tacet_take(names text[], kinds text[], allows float8[], everys float8[], given float8)
RETURNS float8[] LANGUAGE plpgsql AS $$
DECLARE
  told float8[] := '{}';
  kept tacet_counted;
  now float8;
  allow float8;
  every float8;
  taken float8;
  is_allowed boolean;
  reset float8;
BEGIN
  FOR i IN 1 .. cardinality(names) LOOP
    allow := allows[i];
    every := everys[i];
    LOOP
      INSERT INTO tacet_counted (name) VALUES (names[i]) ON CONFLICT DO NOTHING;
      SELECT * INTO kept FROM tacet_counted WHERE name = names[i] FOR UPDATE;
      EXIT WHEN FOUND;
    END LOOP;
    now := coalesce(given, tacet_micros());
    IF kinds[i] = 'fixed' THEN
      IF kept.used = 0 OR now - kept.at >= every THEN kept.used := 0; kept.at := now; END IF;
      is_allowed := kept.used < allow;
      IF is_allowed THEN kept.used := kept.used + 1; END IF;
      taken := kept.used;
      reset := kept.at + every - now;
      kept.until := kept.at + every;
    ELSIF kinds[i] = 'sliding' THEN
      SELECT coalesce(array_agg(t ORDER BY n), '{}') INTO kept.times
        FROM unnest(kept.times) WITH ORDINALITY AS all_times (t, n) WHERE now - t < every;
      is_allowed := cardinality(kept.times) < allow;
      IF is_allowed THEN kept.times := kept.times || now; END IF;
      taken := cardinality(kept.times);
      reset := kept.times[1] + every - now;
      kept.until := kept.times[taken::int] + every;
    ELSE
      kept.used := greatest(0, kept.used - (now - kept.at) * allow);
      kept.at := now;
      is_allowed := kept.used + every <= every * allow;
      IF is_allowed THEN kept.used := kept.used + every; END IF;
      taken := ceil(kept.used / every);
      reset := ceil((kept.used - (taken - 1) * every) / allow);
      kept.until := now + kept.used / allow;
    END IF;
    UPDATE tacet_counted SET used = kept.used, at = kept.at, times = kept.times, until = kept.until
      WHERE name = names[i];
    told := told || ARRAY[is_allowed::int, allow - taken, reset];
    EXIT WHEN NOT is_allowed;
  END LOOP;
  RETURN told;
END $$;

CREATE OR REPLACE FUNCTION tacet_enter(place text, entering uuid, allow float8, lease float8)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(place, 0));
  DELETE FROM tacet_running WHERE name = place AND until <= tacet_micros();
  IF (SELECT count(*) FROM tacet_running WHERE name = place) >= allow THEN RETURN false; END IF;
  INSERT INTO tacet_running VALUES (place, entering, tacet_micros() + lease);
  RETURN true;
END $$;
`;
