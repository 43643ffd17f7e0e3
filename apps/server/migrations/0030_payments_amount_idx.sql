-- no-transaction
-- The search finds the newest payments of an amount.
create index concurrently payments_amount_idx on payments (tutor_id, amount, paid_on, id);
