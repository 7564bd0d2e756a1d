// The CPU quota of Linux control groups: a container with two CPUs sees all 64 of its host, and 64 threads in it would
// mostly wait for their turn.
#include "include/steno_pool.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4608 };

// `quota` microseconds of processor time in every `period`, as whole processors rounded up.
static int32_t processors(long long quota, long long period) {
    if (quota <= 0 || period <= 0) return INT32_MAX;
    const long long count = quota / period + (quota % period != 0);
    return count < INT32_MAX ? (int32_t)count : INT32_MAX;
}

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

// cgroup v2: one file, "200000 100000" or "max 100000".
static int32_t read_v2(const char *folder) {
    char path[PATH_SIZE];
    long long quota, period;
    if (snprintf(path, sizeof(path), "%s/cpu.max", folder) >= (int)sizeof(path)) return INT32_MAX;
    FILE *file = fopen(path, "r");
    if (!file) return INT32_MAX;
    const int found = fscanf(file, "%lld %lld", &quota, &period);
    fclose(file);
    return found == 2 ? processors(quota, period) : INT32_MAX;
}

// cgroup v1: quota and period are in separate files; a quota of -1 means no limit.
static int32_t read_v1(const char *folder) {
    static const char *const names[2] = {"cpu.cfs_quota_us", "cpu.cfs_period_us"};
    long long values[2];
    for (int i = 0; i < 2; i++) {
        char path[PATH_SIZE];
        if (snprintf(path, sizeof(path), "%s/%s", folder, names[i]) >= (int)sizeof(path)) return INT32_MAX;
        FILE *file = fopen(path, "r");
        if (!file) return INT32_MAX;
        const int found = fscanf(file, "%lld", &values[i]);
        fclose(file);
        if (found != 1) return INT32_MAX;
    }
    return processors(values[0], values[1]);
}

// The smallest quota of a group and its ancestors. Missing levels are skipped: where a container sees its own group as
// the root, the path is the host's.
static int32_t walk_up(const char *root, const char *mount, const char *group, int32_t (*read)(const char *)) {
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof(path), "%s%s%s", root, mount, strstr(group, "/..") ? "" : group);
    if (length < 0 || length >= (int)sizeof(path)) return INT32_MAX;
    char *top = path + strlen(root) + strlen(mount);
    int32_t least = read(path);
    for (char *slash = strrchr(top, '/'); slash; slash = strrchr(top, '/')) {
        *slash = 0;
        least = smaller(least, read(path));
    }
    return least;
}

static int names_cpu(const char *controllers) {
    for (const char *name = controllers; *name;) {
        const size_t length = strcspn(name, ",");
        if (length == 3 && strncmp(name, "cpu", 3) == 0) return 1;
        name += length + (name[length] == ',');
    }
    return 0;
}

int32_t steno_quota_cores(const char *root) {
    char line[PATH_SIZE];
    if (snprintf(line, sizeof(line), "%s/proc/self/cgroup", root) >= (int)sizeof(line)) return INT32_MAX;
    FILE *file = fopen(line, "r");
    if (!file) return INT32_MAX;
    int32_t least = INT32_MAX;
    // hierarchy:controllers:group
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        *controllers++ = 0;
        *group++ = 0;
        if (strcmp(line, "0") == 0 && !*controllers) {
            least = smaller(least, walk_up(root, "/sys/fs/cgroup", group, read_v2));
        } else if (names_cpu(controllers)) {
            char mount[256];
            least = smaller(least, walk_up(root, "/sys/fs/cgroup/cpu", group, read_v1));
            if (snprintf(mount, sizeof(mount), "/sys/fs/cgroup/%s", controllers) >= (int)sizeof(mount)) continue;
            least = smaller(least, walk_up(root, mount, group, read_v1));
        }
    }
    fclose(file);
    return least;
}
