-- needs-stop
-- A won dispute now keeps its payment_id, and the previous release would reverse it a second time.
--
-- Outcomes of card payments: what a refund or dispute means for the reopened charges, failed debits and receipts.

-- Forced row-level security would hide the rows from the owner role.
alter table card_reversals no force row level security;
-- 'disputed': the bank has not decided. 'undecided': the tutor has not said whether the reopened charges are still owed. In both
-- states payers are not asked for them. 'undone': the refund failed or the dispute was won; payment_id keeps the reversed entry.
alter table card_reversals add column state text not null default 'settled'
  check (state in ('disputed', 'undecided', 'settled', 'undone'));
update card_reversals set state = 'undone' where payment_id is null;
alter table card_reversals force row level security;

-- When a bank debit failed that the payer had confirmed.
alter table checkouts add column failed_at timestamptz;

alter table card_accounts add column sends_receipts boolean not null default true;

-- How families pay other than by card or to the bank account, for example in cash.
alter table business_settings add column payment_instructions text;

alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in
  ('lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt', 'payment_update'));
