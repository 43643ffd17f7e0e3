-- What a tutor gave up collecting is an entry of its own with a negative amount; an entry with a positive amount reverses it.
alter table charges
  add column written_off integer not null default 0,
  drop constraint charges_kind_check,
  drop constraint charges_amount_sign,
  drop constraint charges_reversal_target,
  drop constraint charges_derived_within_amount,
  add constraint charges_kind_check check (kind in
    ('lesson', 'cancellation', 'travel', 'item', 'opening', 'reversal', 'credit_note', 'write_off')) not valid,
  add constraint charges_amount_sign check (case when kind = 'write_off' then amount <> 0
    when kind in ('reversal', 'credit_note') then amount < 0 else amount > 0 end) not valid,
  add constraint charges_reversal_target check
    ((kind in ('reversal', 'credit_note', 'write_off')) = (reverses_id is not null)) not valid,
  add constraint charges_derived_within_amount check (written_off >= 0
    and (kind in ('reversal', 'credit_note', 'write_off') or outstanding + credited + written_off <= amount)) not valid;
grant update (written_off) on charges to lessonbook_app;
