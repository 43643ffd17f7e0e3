/** A fault in one of the databases while a tutor moves, as SQL for a superuser. */
interface PlantedFault {
  in: 'source' | 'target';
  plant: string;
  remove: string;
}

export const MOVE_FAULTS = {
  /** Simulates a table that is not copied. */
  rowsLost: {
    in: 'target',
    plant: `create function planted() returns trigger language plpgsql as 'begin return null; end';
      create trigger planted before insert on contact_access for each row execute function planted()`,
    remove: 'drop trigger planted on contact_access; drop function planted',
  },
  noLock: {
    in: 'source',
    plant: `alter function check_tutor_writable rename to planted;
      create function check_tutor_writable(tutor uuid, is_worker boolean) returns void language sql as 'select'`,
    remove:
      'drop function check_tutor_writable; alter function planted rename to check_tutor_writable',
  },
  jobDuplicated: {
    in: 'target',
    plant: `create function planted() returns trigger language plpgsql as $$ begin
        if pg_trigger_depth() = 1 then
          insert into jobs.job (name, data, start_after) values (new.name, new.data, new.start_after);
        end if;
        return new; end $$;
      grant execute on function planted to public;
      create trigger planted after insert on jobs.job_common for each row execute function planted()`,
    remove: 'drop trigger planted on jobs.job_common; drop function planted',
  },
} as const satisfies Record<string, PlantedFault>;

export type MoveFault = keyof typeof MOVE_FAULTS;
