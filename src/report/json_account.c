/* The account of the failure as JSON: the memory that ran out, and who held it. */
#include "report/json_parts.h"

static void add_held(struct od_json *json, const char *key, const struct od_held *held)
{
    od_json_object_inline(json, key);
    od_json_str(json, "kind", od_holding_kind_name(held->kind));
    od_json_text_or_null(json, "name", held->name);
    od_json_count(json, "count", held->count);
    od_json_bytes(json, "bytes", held->bytes);
    od_json_bytes(json, "swap_bytes", held->swap);
    od_json_end(json);
}

static struct od_held own_of(const struct od_account *account)
{
    struct od_held own = account->victim;
    if (account->scope == OD_SCOPE_DEVICE)
        own = (struct od_held){.kind = OD_HELD_OWN, .bytes = account->own};
    return own;
}

void od_json_account(struct od_json_report *out)
{
    const struct od_failure *failure = out->report->diagnosis->failure;
    const struct od_account *account = &failure->account;
    struct od_json *json = &out->json;
    if (od_json_null_if(json, "account", account->scope == OD_SCOPE_UNKNOWN))
        return;
    struct od_held own = own_of(account);
    od_json_object(json, "account");
    od_json_str(json, "scope", od_scope_name(account->scope));
    od_json_u64(json, "incident", failure->incident->id);
    od_json_str(json, "enforcer", account->enforcer ? account->enforcer->id : NULL);
    od_json_bytes(json, "limit_bytes", account->limit.bytes);
    od_json_bytes(json, "request_bytes", account->request.bytes);
    od_json_bytes(json, "free_bytes", account->free);
    add_held(json, "own", &own);
    od_json_array(json, "holdings");
    for (size_t i = 0; i < account->n; i++)
        add_held(json, NULL, &account->holdings[i]);
    od_json_end(json);
    od_json_bytes(json, "swap_bytes", account->swap);
    od_json_bytes(json, "swap_used_bytes", account->swap_used);
    od_json_bool(json, "swapoff", account->swapoff);
    od_json_bool(json, "contradicted", account->conflict);
    od_json_end(json);
}
