/* Fails one write, sync or truncation of a database: loaded before the C library (LD_PRELOAD) by the checks of R9.

   The file that FLOORMAN_FAULT_COUNTER names holds two 32-bit numbers: how many calls are left until one fails (0: none
   does), and how many have failed. Only files whose name holds "house.db" count. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static volatile int32_t *counter;

__attribute__((constructor)) static void look(void)
{
    const char *name = getenv("FLOORMAN_FAULT_COUNTER");
    int file = name == NULL ? -1 : open(name, O_RDWR);
    if (file < 0)
        return;
    void *place = mmap(NULL, 2 * sizeof(int32_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    counter = place == MAP_FAILED ? NULL : place;
    close(file);
}

static int of_the_database(int file)
{
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length <= 0)
        return 0;
    name[length] = 0;
    return strstr(name, "house.db") != NULL;
}

static int fails(int file)
{
    if (counter == NULL || counter[0] <= 0 || !of_the_database(file) || __sync_sub_and_fetch(&counter[0], 1) != 0)
        return 0;
    __sync_add_and_fetch(&counter[1], 1);
    errno = EIO;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    return fails(file) ? -1 : REAL(pwrite64)(file, bytes, size, at);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    return fails(file) ? -1 : REAL(pwrite)(file, bytes, size, at);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    return fails(file) ? -1 : REAL(write)(file, bytes, size);
}

int fdatasync(int file)
{
    return fails(file) ? -1 : REAL(fdatasync)(file);
}

int fsync(int file)
{
    return fails(file) ? -1 : REAL(fsync)(file);
}

int ftruncate64(int file, off64_t size)
{
    return fails(file) ? -1 : REAL(ftruncate64)(file, size);
}

int ftruncate(int file, off_t size)
{
    return fails(file) ? -1 : REAL(ftruncate)(file, size);
}
