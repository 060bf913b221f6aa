/*
 * Lets the package gorgonia.org/cu v0.9.6 build with the headers of CUDA 13.
 *
 * CUDA 13 gives some calls more parameters. It does so by name: cuCtxCreate, for
 * one, is a macro now that stands for the newer of two functions. The older
 * function is still in the driver, and cu means that one. So this header takes
 * the real one and points the names back.
 *
 * It does its work when its folder is searched first:
 *
 *     CGO_CFLAGS=-I<this folder>
 *
 * With older headers it changes nothing.
 */
#include_next <cuda.h>

#if !defined(TORCHMEM_CUDA_H) && !defined(__ASSEMBLER__) && defined(CUDA_VERSION) && CUDA_VERSION >= 13000
#define TORCHMEM_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

#undef cuCtxCreate
#define cuCtxCreate cuCtxCreate_v2
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);

#undef cuMemAdvise
CUresult CUDAAPI cuMemAdvise(CUdeviceptr at, size_t size, CUmem_advise advice, CUdevice device);

#undef cuMemPrefetchAsync
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr at, size_t size, CUdevice device, CUstream stream);

#undef cuGraphAddDependencies
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t count);

#undef cuGraphGetEdges
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
