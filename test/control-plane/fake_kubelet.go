package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const fakeNode = "fake"

// startFakeKubelet binds each new pod to a pretended node and reports it Running and Ready (Succeeded if its restart
// policy is not Always), and finishes its deletion. No image ever runs.
func startFakeKubelet(ctx context.Context, base *rest.Config) error {
	kube, err := kubernetes.NewForConfig(base)
	if err != nil {
		return err
	}
	if err := ensureFakeNode(ctx, kube); err != nil {
		return err
	}
	informerFactory := informers.NewSharedInformerFactory(kube, 0)
	sync := func(obj any) {
		if pod, ok := obj.(*corev1.Pod); ok {
			syncPod(ctx, kube, pod)
		}
	}
	_, err = informerFactory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    sync,
		UpdateFunc: func(_, updated any) { sync(updated) },
	})
	informerFactory.Start(ctx.Done())
	return err
}

func ensureFakeNode(ctx context.Context, kube kubernetes.Interface) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fakeNode}}
	created, err := kube.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	if err != nil {
		return err
	}
	capacity := corev1.ResourceList{
		"cpu": resource.MustParse("8"), "memory": resource.MustParse("16Gi"), "pods": resource.MustParse("500"),
	}
	created.Status = corev1.NodeStatus{
		Capacity: capacity, Allocatable: capacity,
		Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Fake"}},
	}
	_, err = kube.CoreV1().Nodes().UpdateStatus(ctx, created, metav1.UpdateOptions{})
	return err
}

// syncPod takes one pod one step on. A write that fails (a conflict, a pod gone meanwhile) brings another event, so
// errors need no handling here.
func syncPod(ctx context.Context, kube kubernetes.Interface, pod *corev1.Pod) {
	pods := kube.CoreV1().Pods(pod.Namespace)
	switch {
	case pod.DeletionTimestamp != nil && pod.Spec.NodeName == fakeNode:
		now := int64(0)
		_ = pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
	case pod.Spec.NodeName == "":
		_ = pods.Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
			Target:     corev1.ObjectReference{Kind: "Node", Name: fakeNode},
		}, metav1.CreateOptions{})
	case pod.Spec.NodeName == fakeNode && (pod.Status.Phase == corev1.PodPending || pod.Status.Phase == ""):
		pod = pod.DeepCopy()
		pretendRunning(pod)
		_, _ = pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	}
}

func pretendRunning(pod *corev1.Pod) {
	now := metav1.Now()
	runsToCompletion := pod.Spec.RestartPolicy != corev1.RestartPolicyAlways
	pod.Status.Phase, pod.Status.StartTime, pod.Status.PodIP = corev1.PodRunning, &now, "10.0.0.1"
	state := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}
	if runsToCompletion {
		pod.Status.Phase = corev1.PodSucceeded
		state = corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: now, FinishedAt: now},
		}
	}
	pod.Status.Conditions = nil
	for _, t := range []corev1.PodConditionType{
		corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady,
	} {
		pod.Status.Conditions = append(pod.Status.Conditions,
			corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	pod.Status.ContainerStatuses = nil
	for _, c := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, ImageID: "fake://" + c.Image,
			Ready: !runsToCompletion, Started: new(bool), State: state,
		})
	}
}
