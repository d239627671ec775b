package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/certificates/rootcacertpublisher"
	"k8s.io/kubernetes/pkg/controller/clusterroleaggregation"
	"k8s.io/kubernetes/pkg/controller/cronjob"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/job"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	sacontroller "k8s.io/kubernetes/pkg/controller/serviceaccount"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	"k8s.io/kubernetes/pkg/serviceaccount"
)

// startControllers starts, without kube-controller-manager's command, the controllers whose absence
// a client would notice on a cluster without nodes. GC resyncs discovery every second (upstream: 30s),
// so that owners of a CRD created moments ago are watched at once.
func startControllers(ctx context.Context, base *rest.Config, pki string) error {
	cfg := rest.CopyConfig(base)
	cfg.QPS, cfg.Burst = -1, -1
	cfg = rest.AddUserAgent(cfg, "control-plane-controllers")
	proto := rest.CopyConfig(cfg)
	proto.ContentType = "application/vnd.kubernetes.protobuf"
	kube, err := kubernetes.NewForConfig(proto)
	if err != nil {
		return err
	}
	meta, err := metadata.NewForConfig(cfg)
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(filepath.Join(pki, "ca.crt"))
	if err != nil {
		return err
	}
	saKey, err := keyutil.PrivateKeyFromFile(filepath.Join(pki, "sa.key"))
	if err != nil {
		return err
	}
	inf := informers.NewSharedInformerFactory(kube, 12*time.Hour)
	metaInf := metadatainformer.NewSharedInformerFactory(meta, 12*time.Hour)
	started := make(chan struct{})
	core, apps, batch := inf.Core().V1(), inf.Apps().V1(), inf.Batch().V1()
	logger := klog.FromContext(ctx)

	ns := namespace.NewNamespaceController(ctx, kube, meta, kube.Discovery().ServerPreferredNamespacedResources,
		core.Namespaces(), 5*time.Minute, corev1.FinalizerKubernetes)
	go ns.Run(ctx, 4)

	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(kube.Discovery()))
	gc, err := garbagecollector.NewGarbageCollector(ctx, kube, meta, mapper,
		garbagecollector.DefaultIgnoredResources(), informerfactory.NewInformerFactory(inf, metaInf), started)
	if err != nil {
		return err
	}
	go gc.Run(ctx, 4, 5*time.Second)
	go gc.Sync(ctx, kube.Discovery(), time.Second)

	sac, err := sacontroller.NewServiceAccountsController(core.ServiceAccounts(), core.Namespaces(), kube,
		sacontroller.DefaultServiceAccountsControllerOptions())
	if err != nil {
		return err
	}
	go sac.Run(ctx, 1)

	gen, err := serviceaccount.JWTTokenGenerator(serviceaccount.LegacyIssuer, saKey)
	if err != nil {
		return err
	}
	tokens, err := sacontroller.NewTokensController(logger, core.ServiceAccounts(), core.Secrets(), kube,
		sacontroller.TokensControllerOptions{TokenGenerator: gen, RootCA: ca})
	if err != nil {
		return err
	}
	go tokens.Run(ctx, 1)

	rootCA, err := rootcacertpublisher.NewPublisher(core.ConfigMaps(), core.Namespaces(), kube, ca)
	if err != nil {
		return err
	}
	go rootCA.Run(ctx, 1)
	go clusterroleaggregation.NewClusterRoleAggregation(inf.Rbac().V1().ClusterRoles(), kube.RbacV1()).Run(ctx, 1)

	dep, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), kube)
	if err != nil {
		return err
	}
	go dep.Run(ctx, 2)
	go replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), kube, replicaset.BurstReplicas).Run(ctx, 2)
	go statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(), apps.ControllerRevisions(), kube).Run(ctx, 1)
	jc, err := job.NewController(ctx, core.Pods(), batch.Jobs(), kube)
	if err != nil {
		return err
	}
	go jc.Run(ctx, 1)
	cj, err := cronjob.NewControllerV2(ctx, batch.Jobs(), batch.CronJobs(), kube)
	if err != nil {
		return err
	}
	go cj.Run(ctx, 1)

	inf.Start(ctx.Done())
	metaInf.Start(ctx.Done())
	close(started)
	return nil
}

// waitDefaultServiceAccount waits until the "default" service account exists: from then on pods can be created.
func waitDefaultServiceAccount(ctx context.Context, cfg *rest.Config) error {
	kube, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := kube.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		return err == nil, nil
	})
}
