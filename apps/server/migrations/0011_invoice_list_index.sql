-- no-transaction
-- Invoices are listed newest first, drafts before all others; without it every page sorts all invoices of the tutor.
create index concurrently invoices_issued_on_idx on invoices (tutor_id, issued_on, id);
