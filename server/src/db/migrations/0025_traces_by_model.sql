-- no transaction
-- Finds the traces that called a model.
create index concurrently if not exists traces_by_model on traces using gin (user_id, models) where models is not null;
