-- Rows into a space of Tarantool. Arguments: MiB of its memory, rows.
local limit, rows = tonumber(arg[1]), tonumber(arg[2])
box.cfg{memtx_memory = limit * 1024 * 1024, wal_mode = 'none', work_dir = '.'}
local space = box.schema.space.create('rows', {temporary = true})
space:create_index('primary')
local ok, why = pcall(function()
    for i = 1, rows do
        space:insert{i, string.rep('x', 100000)}
        if i % 100 == 0 then print(string.format('inserted %d of %d', i, rows)) end
    end
end)
if not ok then
    print('load failed: ' .. tostring(why))
    os.exit(1)
end
print('done')
os.exit(0)
