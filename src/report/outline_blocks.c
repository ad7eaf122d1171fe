/* The largest blocks with the calls that allocated them. */
#include "report/outline_parts.h"

static const char *call_text(struct od_outline *outline, const struct od_call *call)
{
    struct od_arena *arena = outline->arena;
    const char *function = call->function.n > 0 ? od_arena_str(arena, call->function) : "?";
    const char *file = call->file.n > 0 ? od_arena_str(arena, call->file) : "?";
    if (!call->line.known)
        return od_arena_printf(arena, "%s (%s)", function, file);
    return od_arena_printf(arena, "%s (%s:%" PRIu64 ")", function, file, call->line.n);
}

static void add_block(struct od_outline *outline, struct od_section *section,
                      const struct od_dump *dump, const struct od_large_block *block)
{
    struct od_text *words = od_doc_text(section);
    od_say_as(words, OD_STRONG, "%s", od_bytes_text_u64(outline->arena, block->bytes));
    od_say_as(words, OD_DIM, " at 0x%" PRIx64 "%s", block->address,
              block->ncalls > 0 ? ", allocated in" : ", its stack was not recorded");
    struct od_node *list = block->ncalls > 0 ? od_doc_list(section) : NULL;
    for (size_t i = 0; i < block->ncalls; i++)
        od_say_as(od_doc_item(list), OD_CODE, "%s",
                  call_text(outline, &dump->calls.items[block->first_call + i]));
}

void od_outline_blocks(struct od_outline *outline, const struct od_allocator *a)
{
    if (a->dump.blocks.n == 0)
        return;
    struct od_section *section =
        od_doc_section(outline->doc, od_arena_printf(outline->arena, "Largest blocks of %s",
                                                     od_outline_name(outline, a)));
    section->folded = true;
    for (size_t i = 0; i < a->dump.blocks.n; i++)
        add_block(outline, section, &a->dump, &a->dump.blocks.items[i]);
}
